/**
 * Diagram programs process untrusted text, so their SVG is rebuilt from these elements and attributes only: no
 * script, no link, no external font or image, and no style but Tilth's.
 */
const allowedElements = new Set(
  'svg g defs marker title desc path polygon polyline line rect circle ellipse text tspan linearGradient stop'.split(
    ' ',
  ),
)

const allowedAttributes = new Set(
  (
    'id class transform x y x1 y1 x2 y2 dx dy cx cy r rx ry d points width height viewBox fill fill-opacity stroke ' +
    'stroke-width stroke-dasharray stroke-linejoin stroke-linecap stroke-opacity opacity font-size font-family ' +
    'font-weight font-style text-anchor text-decoration dominant-baseline marker-start marker-end markerWidth ' +
    'markerHeight markerUnits refX refY orient preserveAspectRatio xml:space offset stop-color gradientUnits'
  ).split(' '),
)

/** The content of these elements is dropped as well. */
const droppedElements = new Set(
  'style script foreignObject metadata clipPath mask symbol pattern filter'.split(' '),
)

/** The style takes the place of the drawing's own. */
export function sanitizeSvg(
  svg: string,
  style: string = ownStyle + (hasOwnColours(svg) ? '' : darkStyle),
): string {
  const sanitizer = new SvgSanitizer(style)
  for (const [piece, closing, name, rest = '', end] of svg.matchAll(svgTokenPattern)) {
    if (name === undefined) sanitizer.text(piece)
    else if (closing) sanitizer.close()
    else sanitizer.open(name, rest, end === '/')
  }
  return sanitizer.output.join('').trim()
}

/** Reads an SVG from beginning to end, and writes what is allowed. */
class SvgSanitizer {
  readonly output: string[] = []
  private readonly openElements: { name: string; isKept: boolean }[] = []
  /** The number of enclosing elements that are dropped with their content. */
  private hiddenDepth = 0

  constructor(private readonly style: string) {}

  text(piece: string): void {
    if (this.hiddenDepth === 0 && !piece.startsWith('<')) this.output.push(textOf(piece))
  }

  open(name: string, attributeText: string, isClosed: boolean): void {
    const isKept = allowedElements.has(name) && this.hiddenDepth === 0
    const style = this.openElements.length === 0 ? this.style : undefined
    if (isKept) this.output.push(openingTag(name, attributeText, style, isClosed))
    if (isClosed) return
    this.openElements.push({ name, isKept })
    if (droppedElements.has(name)) this.hiddenDepth += 1
  }

  close(): void {
    const begun = this.openElements.pop()
    if (begun && droppedElements.has(begun.name)) this.hiddenDepth -= 1
    else if (begun?.isKept && this.hiddenDepth === 0) this.output.push(`</${begun.name}>`)
  }
}

/** Comments and declarations, elements, and the text between them. */
const svgTokenPattern =
  /<!--[^]*?-->|<[!?][^>]*>|<(\/)?([A-Za-z][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/)?>|[^<]+|</g

function openingTag(name: string, written: string, style: string | undefined, isClosed: boolean): string {
  const attributeText = [...written.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].flatMap(
    ([, attribute = '', double, single]) => allowedAttribute(attribute, double ?? single ?? ''),
  )
  const end = isClosed ? '/>' : '>'
  if (style === undefined) return `<${name}${attributeText.join('')}${end}`
  // an attribute that occurs twice is not valid XML
  const others = attributeText.filter((one) => !one.startsWith(' fill='))
  return `<${name} xmlns="http://www.w3.org/2000/svg" fill="var(--ink)"${others.join('')}${end}${style}`
}

/** Authors choose their own colours for a light background. */
const hasOwnColours = (svg: string): boolean =>
  [...svg.matchAll(/\s(?:fill|stroke)="([^"]*)"/g)].some(
    ([, colour = '']) =>
      !Object.hasOwn(themeColours, colour.toLowerCase()) && !/^(?:none|transparent)$/.test(colour),
  )

function allowedAttribute(name: string, value: string): string[] {
  if (!allowedAttributes.has(name)) return []
  const decoded = themeColours[value.toLowerCase()] ?? value
  // an address may only refer to an element of the drawing itself
  const isSafe =
    !/url\s*\((?!\s*#[\w-]+\s*\))/i.test(decoded) && !/[\\<]|&(?!(?:amp|lt|gt|quot|#39|#\d+);)/.test(decoded)
  return isSafe ? [` ${name}="${decoded.replaceAll('"', '&quot;')}"`] : []
}

/** Default colours follow the colour scheme; colours that the author chose stay. */
const themeColours: Readonly<Record<string, string>> = {
  black: 'var(--ink)',
  '#000000': 'var(--ink)',
  white: 'var(--ground)',
  lightgrey: 'var(--shade)',
  'var(--bg)': 'var(--ground)',
  'var(--fg)': 'var(--ink)',
  'var(--_text)': 'var(--ink)',
  'var(--_text-sec)': 'var(--muted)',
  'var(--_text-muted)': 'var(--muted)',
  'var(--_text-faint)': 'var(--muted)',
  'var(--_line)': 'var(--muted)',
  'var(--_arrow)': 'var(--ink)',
  'var(--_node-fill)': 'var(--shade)',
  'var(--_node-stroke)': 'var(--line)',
  'var(--_group-fill)': 'var(--ground)',
  'var(--_group-hdr)': 'var(--shade)',
  'var(--_inner-stroke)': 'var(--line)',
  'var(--_key-badge)': 'var(--shade)',
}

// An image does not know the colour scheme of its page. It has a background of its own, to be readable on any page.
const ownStyle =
  '<style>:root{--ink:#22211f;--muted:#5f5c56;--line:#bdb8ae;--shade:#f2efe9;--ground:#fdfcfa;background:var(--ground)}' +
  'text{font-family:system-ui,sans-serif}</style>'

const darkStyle =
  '<style>@media(prefers-color-scheme:dark){:root{--ink:#eceae6;--muted:#aaa59c;--line:#5a564f;--shade:#2b2926;' +
  '--ground:#141311}}</style>'

const textOf = (text: string): string =>
  text
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/&(?![\w#]+;)/g, '&amp;')
