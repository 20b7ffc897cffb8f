;;; Drives a real Emacs with Eglot and reports what a user would see.  -*- lexical-binding: t -*-
;;
;; emacs --batch -Q -l driver.el WORKSPACE CHECK SNIPPET...
;; The snippets are what a user has in init.el. The report goes to standard output as JSON; judging
;; it is the business of the test.

(setq package-directory-list '("/usr/share/emacs/site-lisp/elpa"))
(package-initialize)
(require 'json)
(require 'markdown-mode)
(require 'eglot)
(setq eglot-autoshutdown t
      eglot-sync-connect 30
      make-backup-files nil)

(defvar e2e-workspace (nth 0 command-line-args-left))
(defvar e2e-check (nth 1 command-line-args-left))
(defvar e2e-snippets (nthcdr 2 command-line-args-left))
(setq command-line-args-left nil)

(defun e2e-wait (what condition)
  "Wait until CONDITION returns something, and return it; WHAT says what for."
  (let ((deadline (+ (float-time) 30)) value)
    (while (not (setq value (funcall condition)))
      (when (> (float-time) deadline) (error "Never came: %s" what))
      (accept-process-output nil 0.02))
    value))

(defun e2e-open (name)
  "Open a file of the workspace and connect; return its buffer."
  (let ((buffer (find-file-noselect (expand-file-name name e2e-workspace))))
    (set-buffer buffer)
    ;; In batch mode nothing is displayed, and `eglot-ensure' waits for the command loop.
    (run-hooks 'post-command-hook)
    (e2e-wait "a server" (lambda () (eglot-managed-p)))
    buffer))

(defun e2e-diagnostics (code)
  "Return the Flymake diagnostics whose text has CODE, once there are any."
  (flymake-start)
  (e2e-wait (format "diagnostic %s" code)
            (lambda ()
              (seq-filter (lambda (item) (string-search code (flymake-diagnostic-text item)))
                          (flymake-diagnostics)))))

(defun e2e-diagnostics-check ()
  (e2e-open "demo/SKILL.md")
  (let ((item (car (e2e-diagnostics "F011"))))
    `((line . ,(line-number-at-pos (flymake-diagnostic-beg item)))
      (before . ,(save-excursion (goto-char (flymake-diagnostic-beg item))
                                 (buffer-substring (line-beginning-position) (point))))
      (text . ,(buffer-substring (flymake-diagnostic-beg item) (flymake-diagnostic-end item)))
      (total . ,(length (flymake-diagnostics))))))

(defun e2e-quick-fix-check ()
  (e2e-open "demo/SKILL.md")
  (e2e-diagnostics "F011")
  (goto-char (point-min))
  (search-forward "Sends")  ; Eglot asks about the word at point, which ends where the colon is
  (goto-char (match-beginning 0))
  (cl-letf (((symbol-function 'completing-read)
             (lambda (_ choices &rest _)
               (seq-find (lambda (title) (string-search "Quote the value" title))
                         (mapcar (lambda (choice) (if (consp choice) (car choice) choice))
                                 choices)))))
    (let ((last-nonmenu-event t))  ; else Eglot takes it for a click, and shows a menu
      (call-interactively #'eglot-code-actions)))
  `((text . ,(buffer-string))))

(defun e2e-fix-on-save-check ()
  (e2e-open "demo/SKILL.md")
  (e2e-diagnostics "F011")
  (set-buffer-modified-p t)
  (save-buffer)
  `((text . ,(buffer-string))))

(defun e2e-rename-check ()
  (e2e-open "other/SKILL.md")
  (goto-char (point-min))
  (search-forward "name: ")
  (cl-letf (((symbol-function 'y-or-n-p) (lambda (&rest _) t)))  ; more than one file changes
    (eglot-rename "another"))
  (save-some-buffers t)
  `((text . ,(buffer-string))))

(defun e2e-titles ()
  "Return the titles of the code actions at point."
  (mapcar (lambda (action) (plist-get action :title)) (eglot-code-actions (point))))

(defun e2e-lift-check ()
  "Choose to run, answer the server's question with its first button, and wait for the report."
  (e2e-open "other/SKILL.md")
  (goto-char (point-min))
  (search-forward "description")
  (let ((asked nil))
    (cl-letf (((symbol-function 'completing-read)
               (lambda (prompt choices &rest _)
                 (let ((titles (mapcar (lambda (one) (if (consp one) (car one) one)) choices)))
                   (if (string-search "Server reports" prompt)
                       (progn (setq asked prompt) (car titles))
                     (seq-find (lambda (title) (string-search "Run lift of this skill" title))
                               titles))))))
      (let ((last-nonmenu-event t))
        (call-interactively #'eglot-code-actions))
      (e2e-wait "the question" (lambda () asked)))
    (e2e-wait "the report"
              (lambda ()
                (sleep-for 0.3)
                (seq-find (lambda (title) (string-search "Report: lift" title)) (e2e-titles))))
    `((question . ,asked)
      (titles . ,(string-join (e2e-titles) "\n")))))

(let ((report
       (condition-case failure
           (progn
             (dolist (file e2e-snippets) (load file nil t))
             (funcall (intern (format "e2e-%s-check" e2e-check))))
         (error `((error . ,(error-message-string failure)))))))
  (princ (json-encode report))
  (terpri))
(ignore-errors (eglot-shutdown-all))
(kill-emacs 0)
