"""Checks the links of a built book: links.py DIRECTORY. Every relative link and every anchor must lead somewhere."""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The ids of a page, and its links."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.ids.update(attrs[name] for name in ("id", "name") if attrs.get(name))
        wanted = {"a": "href", "img": "src", "link": "href", "script": "src"}.get(tag)
        if attrs.get(wanted):
            self.links.append(attrs[wanted])


def broken(book, pages, path, link):
    """Why a link leads nowhere, or None."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return None
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.is_file():
        return "no such file"
    if not target.is_relative_to(book):
        return "leads out of the book"
    if parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids:
        return "no such anchor"
    return None


def main():
    book = Path(sys.argv[1]).resolve()
    files = [path for path in book.rglob("*.html") if path.name not in ("404.html", "toc.html")]
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in files}
    links = [(path, link) for path, page in pages.items() for link in page.links]
    found = [(path, link, why) for path, link in links if (why := broken(book, pages, path, link))]
    for path, link, why in found:
        print(f"{path.relative_to(book)}: {link}: {why}")
    print(f"{len(pages)} pages, {len(links)} links, {len(found)} broken")
    if len(pages) < 20 or len(links) < 500:
        sys.exit("too few pages or links: the search is broken")
    sys.exit(1 if found else 0)


main()
