;;; acp_emacs.el --- pi acp as an editor meets it that is built on acp.el  -*- lexical-binding: t; -*-

;; emacs --batch -Q -L DIRECTORY-OF-ACP.EL -l acp_emacs.el, in the world that world.py makes. acp.el is the protocol code of
;; agent-shell. An answer, a tool call, a cancelled answer, an error, and the session again in another process.

;;; Code:
(require 'acp)
(require 'cl-lib)

(defvar chat-updates nil "What was told of sessions, the newest first.")
(defvar chat-cwd (getenv "CLIENT_CWD"))

(defun chat-check (what is-so)
  "Ends with an error that names WHAT unless IS-SO."
  (if is-so
      (message "ok %s" what)
    (message "FAILED %s, after %S" what (reverse chat-updates))
    (kill-emacs 1)))

(defun chat-client ()
  "A new pi that has been greeted."
  (let ((client (acp-make-client :command "pi" :command-params '("acp"))))
    (acp-subscribe-to-notifications :client client :on-notification
                                    (lambda (said) (push (map-nested-elt said '(params update)) chat-updates)))
    (acp-subscribe-to-errors :client client :on-error
                             (lambda (complaint) (chat-check (format "quiet, not %S" complaint) nil)))
    (let ((greeting (acp-send-request :client client :sync t :request
                                      (acp-make-initialize-request
                                       :protocol-version 1 :client-info '((name . "emacs") (version . "0"))
                                       :read-text-file-capability nil :write-text-file-capability nil))))
      (chat-check "initialize" (and (= 1 (map-elt greeting 'protocolVersion))
                                    (equal "pi" (map-nested-elt greeting '(agentInfo name)))
                                    (eq t (map-nested-elt greeting '(agentCapabilities loadSession))))))
    client))

(defun chat-send (client session text done)
  "Sends TEXT as a prompt to SESSION; DONE gets the answer, or the error."
  (setq chat-updates nil)
  (acp-send-request :client client :on-success done :on-failure (lambda (failure) (funcall done failure))
                    :request (acp-make-session-prompt-request
                              :session-id session :prompt `[((type . "text") (text . ,text))])))

(defun chat-prompt (client session text)
  "The answer to TEXT, or the error."
  (let (answer)
    (chat-send client session text (lambda (said) (setq answer said)))
    (while (not answer) (accept-process-output nil 0.01))
    answer))

(defun chat-of-kind (kind)
  "Updates of a KIND, in their order."
  (cl-remove-if-not (lambda (update) (equal kind (map-elt update 'sessionUpdate))) (reverse chat-updates)))

(defun chat-text (kind)
  "All text of updates of a KIND."
  (mapconcat (lambda (update) (map-nested-elt update '(content text))) (chat-of-kind kind) ""))

(defun chat-ended (answer reason)
  "Whether ANSWER says that the prompt ended for REASON."
  (equal reason (map-elt answer 'stopReason)))

(let* ((client (chat-client))
       (session (map-elt (acp-send-request :client client :sync t :request (acp-make-session-new-request :cwd chat-cwd))
                         'sessionId)))
  (chat-check "session/new" (stringp session))
  (chat-check "a prompt" (and (chat-ended (chat-prompt client session "hello") "end_turn")
                              (equal "first answer" (chat-text "agent_message_chunk"))))
  (chat-check "a tool call" (and (chat-ended (chat-prompt client session "use a tool") "end_turn")
                                 (equal "execute" (map-elt (car (chat-of-kind "tool_call")) 'kind))
                                 (equal "completed" (map-elt (car (last (chat-of-kind "tool_call_update"))) 'status))))
  (let (answer)
    (chat-send client session "endless" (lambda (said) (setq answer said)))
    (while (not (chat-of-kind "agent_message_chunk")) (accept-process-output nil 0.01))
    (acp-send-notification :client client :notification (acp-make-session-cancel-notification :session-id session))
    (while (not answer) (accept-process-output nil 0.01))
    (chat-check "session/cancel" (chat-ended answer "cancelled")))
  (chat-check "an error" (= -32002 (map-elt (chat-prompt client "nobody" "hello") 'code)))
  (acp-shutdown :client client)
  (setq chat-updates nil)
  (let ((again (chat-client)))
    (let* ((listed (acp-send-request :client again :sync t :request (acp-make-session-list-request :cwd chat-cwd)))
           (sessions (map-elt listed 'sessions)))
      (chat-check "session/list" (and (= 1 (length sessions)) (equal session (map-elt (aref sessions 0) 'sessionId)))))
    (acp-send-request :client again :sync t :request (acp-make-session-load-request :session-id session :cwd chat-cwd))
    (chat-check "session/load" (equal "hellouse a toolendless" (chat-text "user_message_chunk")))
    (chat-check "a command" (and (chat-ended (chat-prompt again session "/session") "end_turn")
                                 (string-search session (chat-text "agent_message_chunk"))))
    (acp-shutdown :client again)))

(provide 'acp_emacs)
;;; acp_emacs.el ends here
