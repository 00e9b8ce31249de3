"""`casework doctor --mail`: a test mail, and how far it came with each mail server of the settings."""

from collections.abc import Iterator

from casework import clock
from casework.adapters import mail, smtp
from casework.adapters.mail import Message
from casework.domain.delivery import SmtpPhase
from casework.services import alarms
from casework.settings import Settings, SmtpSecurity, get_settings


def send(address: str) -> int:
    """Send one as a notice goes, and one as an alarm through the alarms' own server; 1 if one is not taken."""
    wrong = repr(address)
    try:
        as_alarm = mail.build(alarms.trial_letter(address, as_alarm=True), clock.now())
        wrong = "CASEWORK_MAIL_RETURN_PATH or CASEWORK_MAIL_REPLY_TO"
        as_notice = mail.build(alarms.trial_letter(address), clock.now())
    except mail.BadAddress:
        print(f"{wrong} is no address that can be mailed.")
        return 1
    settings = get_settings()
    ended = [_through(settings, as_notice)]
    if settings.alarm_smtp_host:
        ended.append(_through(settings.for_alarms, as_alarm))
    return max(ended)


def _through(server: Settings, message: Message) -> int:
    if not server.smtp_host:
        print("There is no mail server: set CASEWORK_SMTP_HOST.")
        return 1
    print(f"{server.smtp_host}:{server.smtp_port}")
    failed: SmtpPhase | None = None
    try:
        handover = smtp.post(message, begin_sending=lambda: None, clock=clock.now, through=server)
    except smtp.MailError as error:
        failed, reply = error.phase, error.reply
    else:
        reply = handover.reply
    finally:
        smtp.hang_up()
    for phase, words in _steps(server, message):
        if phase is failed:
            print(f"  FAILED  {words}: {reply}")
            return 1
        print(f"  ok      {words}")
    print(f"  ok      The server took the message: {reply}")
    return 0


def _steps(server: Settings, message: Message) -> Iterator[tuple[SmtpPhase, str]]:
    """What is done one after the other, as the settings demand it."""
    yield SmtpPhase.CONNECT, "connect"
    if server.smtp_security is SmtpSecurity.NONE:
        print("  note    The line is not encrypted (CASEWORK_SMTP_SECURITY=none).")
    else:
        yield SmtpPhase.TLS, f"encrypt the line ({server.smtp_security}) and check the certificate"
    if server.smtp_user:
        yield SmtpPhase.LOGIN, "sign in"
    yield SmtpPhase.SENDER, f"MAIL FROM {message.sender}"
    yield SmtpPhase.RECIPIENT, f"RCPT TO {message.recipient}"
    yield SmtpPhase.DATA, "DATA"
    yield SmtpPhase.FINAL_DOT, "the final dot"
