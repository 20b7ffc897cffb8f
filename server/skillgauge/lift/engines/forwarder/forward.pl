# Forwards port 18080 of the loopback to the model's socket, and runs a command beside it.
use strict;
use warnings;
use Errno qw(EAGAIN EINTR EWOULDBLOCK);
use Fcntl qw(F_GETFL F_SETFL O_NONBLOCK);
use POSIX ();
use Socket;

# A signal between two waits is noticed after the pause.
use constant { CHUNK => 65536, FULL => 1 << 20, REST => 128, PAUSE => 0.1 };

my $port = $ENV{SKILLGAUGE_PORT} || 18080;
my $path = $ENV{SKILLGAUGE_SOCKET} || "/run/skillgauge/model.sock";
my %end;    # file number => an end of a connection
my ( $child, $status );

sub fail {
    print STDERR "skillgauge: $_[0]\n";
    POSIX::_exit(70);
}

# An end has the other one's number, what is still to be written to it, and what it has closed.
sub add {
    my ( $socket, $other ) = @_;
    fcntl( $socket, F_SETFL, fcntl( $socket, F_GETFL, 0 ) | O_NONBLOCK );
    $end{ fileno $socket } =
      { socket => $socket, other => $other, waiting => "", read => 0, written => 0 };
}

sub drop {
    my ($number) = @_;
    my $gone = delete $end{$number} or return;
    close $gone->{socket};
    drop( $gone->{other} );
}

sub take {
    my ($server) = @_;
    accept( my $client, $server ) or return;
    socket( my $model, AF_UNIX, SOCK_STREAM, 0 ) or return;
    connect( $model, pack_sockaddr_un($path) ) or return;
    add( $client, fileno $model );
    add( $model,  fileno $client );
}

sub receive {
    my ($number) = @_;
    my $from = $end{$number} or return;
    my $got  = sysread( $from->{socket}, my $data, CHUNK );
    if ( !defined $got ) {
        drop($number) unless $! == EAGAIN || $! == EWOULDBLOCK || $! == EINTR;
    }
    elsif ($got) { $end{ $from->{other} }{waiting} .= $data }
    else         { $from->{read} = 1 }
}

# Writes what waits; when the other side has no more, says so, and drops a pair that is done.
sub send_on {
    my ($number) = @_;
    my $to = $end{$number} or return;
    if ( length $to->{waiting} ) {
        my $sent = syswrite( $to->{socket}, $to->{waiting}, CHUNK );
        if ( defined $sent ) { substr( $to->{waiting}, 0, $sent ) = "" }
        elsif ( $! != EAGAIN && $! != EWOULDBLOCK && $! != EINTR ) { return drop($number) }
    }
    my $from = $end{ $to->{other} };
    return if length $to->{waiting} || !$from->{read} || $to->{written};
    shutdown( $to->{socket}, 1 );
    $to->{written} = 1;
    drop($number) if $from->{written};
}

sub turn {
    my ($server) = @_;
    my ( $reading, $writing ) = ( "", "" );
    vec( $reading, fileno $server, 1 ) = 1;
    for my $number ( keys %end ) {
        my $one = $end{$number};
        vec( $reading, $number, 1 ) = 1
          if !$one->{read} && length $end{ $one->{other} }{waiting} < FULL;
        vec( $writing, $number, 1 ) = 1 if length $one->{waiting};
    }
    my $ready = select( $reading, $writing, undef, PAUSE );
    return if !defined $ready || $ready < 1;
    for my $number ( keys %end ) {
        receive($number) if vec( $reading, $number, 1 );
    }
    send_on($_) for keys %end;
    take($server) if vec( $reading, fileno $server, 1 );
}

socket( my $server, AF_INET, SOCK_STREAM, 0 ) or fail("There are no sockets: $!");
setsockopt( $server, SOL_SOCKET, SO_REUSEADDR, pack( "i", 1 ) );
bind( $server, pack_sockaddr_in( $port, INADDR_LOOPBACK ) ) && listen( $server, REST )
  or fail("Port $port can't be opened: $!");
fcntl( $server, F_SETFL, fcntl( $server, F_GETFL, 0 ) | O_NONBLOCK );

# The pipe closes by itself when the command starts; before that it brings why it did not.
pipe( my $told, my $tell ) or fail("There are no pipes: $!");
$child = fork;
fail("No process can be started: $!") unless defined $child;
if ( !$child ) {
    open STDIN, "<", "/dev/null";
    { no warnings; exec { $ARGV[0] } @ARGV }
    syswrite $tell, "$!";
    POSIX::_exit(127);
}
close $tell;
$SIG{PIPE} = "IGNORE";
for my $name (qw(TERM INT HUP)) {
    $SIG{$name} = sub { kill $name, $child };
}
$SIG{CHLD} = sub {
    $status = $? if waitpid( $child, POSIX::WNOHANG() ) == $child;
};
my $why = "";
1 until defined sysread( $told, $why, 1000 );
fail("“$ARGV[0]” can't be started: $why") if length $why;
$SIG{CHLD}->();
turn($server) until defined $status;
POSIX::_exit( $status & 127 ? 128 + ( $status & 127 ) : $status >> 8 );
