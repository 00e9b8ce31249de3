// A page that answers a form asks, when somebody comes back to it, whether to send that form again. As soon as its own
// form is sent on, its place in the browser's history becomes a plain visit: coming back then says what was sent (F29).
document.addEventListener("submit", () => history.replaceState(null, "", location.href));
