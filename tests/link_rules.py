"""Where a notebook or a Markdown file leads: rules about links, anchors and the images in prose.

Like those in `notebook_rules.py`, each takes a path and returns its complaints. Nothing is fetched.
"""

import re
from urllib.parse import unquote, urldefrag

from notebook_pages import headings, is_lettered, markdown_page, page, read

START = "00_start_here.ipynb"
EXTERNAL = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)
HTTPS = re.compile(r"https://(?:[a-z0-9-]+\.)+[a-z]{2,}(?:[/?#]\S*)?", re.IGNORECASE)


def links_resolve(path):
    """Every relative link and image leads to a file and a heading that exist."""
    shown = page(path)
    targets = shown.links + [image.get("src", "") for image in shown.images]
    return [complaint for target in targets if (complaint := problem(path, target))]


def problem(path, target):
    """What is wrong with one link, or None."""
    if target.startswith("data:image/"):
        return None
    if EXTERNAL.match(target):
        return None if HTTPS.fullmatch(target) else f"{target} is not a well-formed https address"
    name, anchor = map(unquote, urldefrag(target))
    file = path.parent / name if name else path
    if not target or name.startswith("/") or not file.exists():
        return f"{target or 'an empty link'} leads to no file"
    if anchor and anchor not in anchors(file):
        return f"{target} leads to no heading"
    return None


def anchors(path):
    """The anchors of a file's headings, in the way of whoever shows it.

    A notebook is opened in JupyterLab, which only joins the words with hyphens (nbviewer too). A
    Markdown file is read on GitHub, which also drops capitals and punctuation and counts repeats.
    """
    if path.suffix == ".ipynb":
        return {text.replace(" ", "-") for _, text, _ in headings(read(path))}
    texts = [re.sub(r"[^\w\- ]", "", text.lower()) for _, text in page(path).headings]
    slugs = [text.replace(" ", "-") for text in texts]
    repeats = [slugs[:place].count(slug) for place, slug in enumerate(slugs)]
    return {f"{slug}-{n}" if n else slug for slug, n in zip(slugs, repeats, strict=True)}


def images_have_alt_text(path):
    """Every image in prose says in words what it shows."""
    return [
        f"the image {image.get('src', '')[:60]!r} has no alternative text"
        for image in page(path).images
        if not (image.get("alt") or "").strip()
    ]


def navigation_is_there(path):
    """The title cell of a scenario leads to the start page and to both neighbours."""
    if not is_lettered(path):
        return []
    order = sorted(each.name for each in path.parent.glob("[0A-H]*_*.ipynb"))
    place = order.index(path.name)
    wanted = {START, *order[max(place - 1, 0) : place], *order[place + 1 : place + 2]}
    found = {urldefrag(link).url for link in markdown_page(read(path).cells[0].source).links}
    return [f"the title cell has no link to {name}" for name in sorted(wanted - found)]
