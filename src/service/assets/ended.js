// A page that says how it ended is the answer to a post. From here on it is a page like any other: loading it again, or
// coming back to it, asks the service how the request ended, where the browser would ask whether to post once more.
history.replaceState(null, '', location.pathname);
try {
  sessionStorage.removeItem(`countersign.draft ${location.pathname}`);
} catch {
  // A browser that keeps nothing.
}
