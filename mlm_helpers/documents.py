"""HTML documents that need nothing else: no script, no network; made for A4 and for Letter."""

from html import escape

# All fonts are drawn with small letters as high as Arial's, else DejaVu needs more sheets.
_LOOK = """
@page { margin: 18mm 17mm }
* { box-sizing: border-box }
body { background: #fff; color: #000; font: 12pt/1.4 "Helvetica Neue", Helvetica, Arial,
  "Liberation Sans", "DejaVu Sans", sans-serif; font-size-adjust: 0.519;
  margin: 0 auto; max-width: 176mm }
h1 { font-size: 17pt; line-height: 1.2; margin: 0 0 2mm }
h2 { font-size: 14pt; line-height: 1.2; margin: 7mm 0 2mm; break-after: avoid }
h3 { font-size: 12pt; margin: 4mm 0 1mm; break-after: avoid }
p { margin: 0 0 2mm }
math { font-size: 12pt }
"""


def document(title, body, look=""):
    """A whole page.

    Parameters
    ----------
    title : str
        Plain text.
    body : str
        HTML.
    look : str
        CSS beyond what all documents share.
    """
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta name="viewport" content="width=device-width">\n<title>{escape(title)}</title>\n'
            f"<style>{_LOOK}{look}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n")
