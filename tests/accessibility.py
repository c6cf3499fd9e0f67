"""What axe-core finds in a part of a page, and what of it nobody but others could mend."""

from axe_playwright_python.base import AXE_SCRIPT

# (axe's rule, the elements it complains about, why that stands)
ALLOWED = (
    ("aria-required-children", ".jp-WindowedPanel-viewport",
     "JupyterLab calls its list of cells a feed, and the cells in it not articles"),
    ("aria-prohibited-attr", ".jp-cell-toolbar jp-button",
     "JupyterLab's buttons at the active cell are custom elements without a role"),
    ("aria-prohibited-attr", ".jp-Cell",
     "JupyterLab labels its cells, which are divs without a role"),
    ("aria-input-field-name", ".jp-Cell .cm-content",
     "JupyterLab gives its code editors no name"),
    ("button-name", ".jp-collapseHeadingButton",
     "JupyterLab gives the arrow beside a heading no name; the arrow keys do the same"),
    ("aria-input-field-name", ".noUi-handle",
     "ipywidgets gives its sliders' handles no name; the number box beside each has one"),
    ("color-contrast", "mi, mo",
     "axe is in doubt of what lies behind a sign of MathML, whose box it does not know"),
)
FIND = """async (part, allowed) => {
    const stands = (rule, element) => allowed.some(
        ([name, selector]) => name === rule && element.matches(selector));
    const {violations, incomplete} = await axe.run(
        part, {elementRef: true, resultTypes: ["violations", "incomplete"]});
    return [...violations, ...incomplete].flatMap(({id, help, nodes}) => nodes
        .filter(({element}) => !stands(id, element))
        .map(({html}) => `${id} (${help}): ${html.slice(0, 300)}`));
}"""


def findings(part):
    """What axe-core complains about or is in doubt of in a locator's element; see ``ALLOWED``."""
    if part.page.evaluate("() => !window.axe"):  # else it would be compiled anew
        part.page.evaluate(AXE_SCRIPT)
    return part.evaluate(FIND, [(rule, selector) for rule, selector, _ in ALLOWED])
