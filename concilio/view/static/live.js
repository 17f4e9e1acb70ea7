// Reads the page again when its run has news. Without this file a link and a slow refresh do the same.
"use strict";
(() => {
  const banner = document.querySelector("[data-news]");
  if (!banner || !window.EventSource) return;
  const { news, done, lost } = banner.dataset;
  const say = (text) => {
    const place = document.querySelector(".live-text");
    if (place) place.textContent = text;
  };
  let busy = false;
  let again = false;
  const refresh = async () => {
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    try {
      const answer = await fetch(location.href, { headers: { accept: "text/html" } });
      if (answer.ok) replace(await answer.text());
    } catch {
      say(lost);
    }
    busy = false;
    if (again) {
      again = false;
      refresh();
    }
  };
  const replace = (text) => {
    const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("live");
    const old = document.getElementById("live");
    if (!fresh || !old || old.contains(document.activeElement) && isBeingWritten()) return;
    const shut = new Set([...old.querySelectorAll("details")].map((d, i) => (d.open ? "" : String(i))));
    fresh.querySelectorAll("details").forEach((d, i) => {
      if (shut.has(String(i))) d.open = false;
    });
    const focused = pathOf(document.activeElement, old);
    old.replaceChildren(...fresh.childNodes);
    if (focused) at(focused, old)?.focus({ preventScroll: true });
  };
  const isBeingWritten = () => ["INPUT", "TEXTAREA", "SELECT"].includes(document.activeElement.tagName);
  const pathOf = (node, root) => {
    if (!node || node === root || !root.contains(node)) return null;
    return node.getAttribute("href") || null;
  };
  const at = (href, root) => [...root.querySelectorAll("a[href]")].find((a) => a.getAttribute("href") === href);
  const source = new EventSource(news);
  source.addEventListener("news", refresh);
  source.addEventListener("over", async () => {
    source.close();
    await refresh();
    say(done);
  });
  source.addEventListener("error", () => say(lost));
  addEventListener("pagehide", () => source.close());
})();
