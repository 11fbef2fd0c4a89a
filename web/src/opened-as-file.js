// A page that is opened as a file cannot load its parts: browsers forbid it. It explains that instead of
// staying blank.
if (location.protocol === "file:") {
  var box = document.getElementById("view");
  box.innerHTML =
    '<div class="failure" role="alert"><h1>This page must be served</h1>' +
    "<p>Browsers do not let a page that is opened as a file load its engine. Run <code>carom play</code>, or serve this folder with any " +
    "web server, for example <code>python3 -m http.server</code>, and open the address that it prints.</p></div>";
}
