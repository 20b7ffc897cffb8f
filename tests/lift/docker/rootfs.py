"""Root file systems made of this machine's files, as tars that an engine imports: no registry.

`busybox` is one static program, enough for most tests. A `slice` has whole programs with the
libraries that they load, enough for a real agent.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterable, Iterator
from glob import glob
from pathlib import Path

PASSWD = "root:x:0:0:root:/root:/bin/sh\nagent:x:1000:1000::/home/agent:/bin/sh\n"
FOLDERS = ("etc", "proc", "sys", "dev", "run", "root", "opt", "home", "usr", "usr/bin", "usr/lib")
BUSYBOX = "/bin/busybox"
LIBRARIES = ("librt.so.1", "libdl.so.2", "libpthread.so.0", "libnss_files.so.2", "libresolv.so.2")
"""What agents load that these programs don't."""
PROGRAMS = ("bash", "git", "node", "perl", "python3")
"""What a slice has of what this machine has."""
TREES = ("/usr/lib/python3.11", f"/usr/lib/{os.uname().machine}-linux-gnu/perl-base")
"""What these programs read beside their libraries; git has its commands in itself."""
_LEFT_OUT = re.compile(r"/(__pycache__|test|tests|idlelib|lib2to3|config-[^/]*|ensurepip)$")
_LIBRARY = re.compile(r"=> (/\S+)|^\s*(/\S+)", re.MULTILINE)
_MERGED = re.compile(r"^(bin|sbin|lib|lib64)/")


class Root:
    """A tar being written; links of /bin and its like lead into /usr, as on any Linux of today."""

    def __init__(self, out: tarfile.TarFile) -> None:
        self.out = out
        self.seen: set[str] = set()
        for name in FOLDERS:
            self.folder(name)
        self.folder("tmp", 0o1777)
        for name in ("bin", "sbin", "lib", "lib64"):
            self.link(name, "usr/bin" if name == "sbin" else f"usr/{name}")
        self.text("etc/passwd", PASSWD)
        self.text("etc/group", "root:x:0:\nagent:x:1000:\n")

    def folder(self, name: str, mode: int = 0o755) -> None:
        """Add a folder and those above it."""
        if name in self.seen or not name:
            return
        self.folder(os.path.dirname(name))
        self.seen.add(name)
        info = tarfile.TarInfo(name)
        info.type, info.mode = tarfile.DIRTYPE, mode
        self.out.addfile(info)

    def text(self, name: str, text: str) -> None:
        """Add a file."""
        data = text.encode()
        self.seen.add(name)
        info = tarfile.TarInfo(name)
        info.size = len(data)
        self.out.addfile(info, io.BytesIO(data))

    def link(self, name: str, target: str) -> None:
        """Add a symbolic link, unless the name is taken."""
        if name in self.seen:
            return
        self.seen.add(name)
        info = tarfile.TarInfo(name)
        info.type, info.linkname = tarfile.SYMTYPE, target
        self.out.addfile(info)

    def file(self, path: str | Path, name: str = "") -> None:
        """Add a file of this machine at its own place, or at another."""
        name = _MERGED.sub(r"usr/\1/", (name or str(path)).lstrip("/"))
        name = name.replace("usr/sbin/", "usr/bin/")
        if name in self.seen:
            return
        self.folder(os.path.dirname(name))
        self.seen.add(name)
        real = os.path.realpath(path)
        info = self.out.gettarinfo(real, name)
        info.uid = info.gid = 0
        info.uname = info.gname = ""
        if info.islnk():  # tarfile's own idea of a second name for the same file
            info.type, info.size = tarfile.REGTYPE, os.path.getsize(real)
        with open(real, "rb") as data:
            self.out.addfile(info, data)

    def program(self, path: str, name: str = "") -> None:
        """Add a program with what it loads."""
        self.file(path, name)
        for library in libraries(path):
            self.file(library)

    def tree(self, folder: str) -> None:
        """Add a folder with all that is worth it."""
        for root, folders, files in os.walk(folder):
            folders[:] = [name for name in folders if not _LEFT_OUT.search(f"{root}/{name}")]
            for name in files:
                path = os.path.join(root, name)
                if os.path.isfile(path):
                    self.file(path)
                    for library in libraries(path) if ".so" in name else ():
                        self.file(library)

    def applets(self) -> None:
        """Add busybox under all its names that are free."""
        self.program(BUSYBOX, "usr/bin/busybox")
        done = subprocess.run([BUSYBOX, "--list"], capture_output=True, text=True, check=True)
        for name in done.stdout.split():
            self.link(f"usr/bin/{name}", "busybox")


def libraries(path: str) -> Iterator[str]:
    """Yield the libraries that a program loads; none for a static one."""
    done = subprocess.run(["ldd", path], capture_output=True, text=True, check=False)
    for match in _LIBRARY.finditer(done.stdout):
        yield match[1] or match[2]


def write_busybox(path: Path) -> None:
    """Write the small one."""
    with tarfile.open(path, "w") as out:
        Root(out).applets()


def write_slice(path: Path, programs: Iterable[str] = PROGRAMS) -> None:
    """Write one with real programs, those of them that are here."""
    with tarfile.open(path, "w") as out:
        root = Root(out)
        for name in programs:
            if found := shutil.which(name, path="/usr/bin:/bin"):
                root.program(found, f"usr/bin/{name}")
        for pattern in LIBRARIES:
            for found in sorted(glob(f"/lib/{os.uname().machine}-linux-gnu/{pattern}")):
                root.file(found)
        for folder in TREES:
            root.tree(folder)
        certificates = "/etc/ssl/certs/ca-certificates.crt"
        if os.path.isfile(certificates):
            root.file(certificates)
        root.applets()


if __name__ == "__main__":
    write_slice(Path(sys.argv[1])) if sys.argv[2:] else write_busybox(Path(sys.argv[1]))
