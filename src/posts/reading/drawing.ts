/**
 * Drawings come out of programs that were fed a stranger's text. What leaves here is made of these elements and
 * attributes and no others: no script, no link, no font or picture from elsewhere, and no style but ours.
 */
const elements = new Set(
  'svg g defs marker title desc path polygon polyline line rect circle ellipse text tspan'.split(' '),
)

const attributes = new Set(
  (
    'id class transform x y x1 y1 x2 y2 dx dy cx cy r rx ry d points width height viewBox fill fill-opacity stroke ' +
    'stroke-width stroke-dasharray stroke-linejoin stroke-linecap stroke-opacity opacity font-size font-family ' +
    'font-weight font-style text-anchor text-decoration dominant-baseline marker-start marker-end markerWidth ' +
    'markerHeight refX refY orient preserveAspectRatio xml:space'
  ).split(' '),
)

/** Inside an element of these nothing is kept either. */
const dropped = new Set(['style', 'script', 'foreignObject', 'metadata'])

export function cleanDrawing(drawn: string): string {
  const cleaning = new Cleaning(ownStyle + (hasOwnColours(drawn) ? '' : darkStyle))
  for (const [piece, closing, name, rest = '', end] of drawn.matchAll(piecesOf)) {
    if (name === undefined) cleaning.text(piece)
    else if (closing) cleaning.close()
    else cleaning.open(name, rest, end === '/')
  }
  return cleaning.written.join('').trim()
}

/** Goes through a drawing from its beginning to its end, and writes down what may stay. */
class Cleaning {
  readonly written: string[] = []
  private readonly around: { name: string; isKept: boolean }[] = []
  /** How many elements around this place are dropped with all they hold. */
  private hidden = 0

  constructor(private readonly style: string) {}

  text(piece: string): void {
    if (this.hidden === 0 && !piece.startsWith('<')) this.written.push(textOf(piece))
  }

  open(name: string, said: string, isClosed: boolean): void {
    const isKept = elements.has(name) && this.hidden === 0
    const style = this.around.length === 0 ? this.style : undefined
    if (isKept) this.written.push(opening(name, said, style, isClosed))
    if (isClosed) return
    this.around.push({ name, isKept })
    if (dropped.has(name)) this.hidden += 1
  }

  close(): void {
    const begun = this.around.pop()
    if (begun && dropped.has(begun.name)) this.hidden -= 1
    else if (begun?.isKept && this.hidden === 0) this.written.push(`</${begun.name}>`)
  }
}

/** Comments and the like, elements, and what stands between them. */
const piecesOf =
  /<!--[^]*?-->|<[!?][^>]*>|<(\/)?([A-Za-z][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/)?>|[^<]+|</g

function opening(name: string, written: string, style: string | undefined, isClosed: boolean): string {
  const kept = [...written.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].flatMap(
    ([, attribute = '', double, single]) => keptAttribute(attribute, double ?? single ?? ''),
  )
  const end = isClosed ? '/>' : '>'
  if (style === undefined) return `<${name}${kept.join('')}${end}`
  // an attribute that is there twice is no XML
  const others = kept.filter((one) => !one.startsWith(' fill='))
  return `<${name} xmlns="http://www.w3.org/2000/svg" fill="var(--ink)"${others.join('')}${end}${style}`
}

/** Somebody who chose colours chose them for a light ground. */
const hasOwnColours = (drawn: string): boolean =>
  [...drawn.matchAll(/\s(?:fill|stroke)="([^"]*)"/g)].some(
    ([, colour = '']) =>
      !Object.hasOwn(colourOf, colour.toLowerCase()) && !/^(?:none|transparent)$/.test(colour),
  )

function keptAttribute(name: string, value: string): string[] {
  if (!attributes.has(name)) return []
  const said = colourOf[value.toLowerCase()] ?? value
  // an address may only be that of something in the drawing itself
  const isSafe =
    !/url\s*\((?!\s*#[\w-]+\s*\))/i.test(said) && !/[\\<]|&(?!(?:amp|lt|gt|quot|#39|#\d+);)/.test(said)
  return isSafe ? [` ${name}="${said.replaceAll('"', '&quot;')}"`] : []
}

/** Colours that nobody chose follow the light; those that somebody chose stay. */
const colourOf: Readonly<Record<string, string>> = {
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

// An image does not know what page it is on: it has a ground of its own, so that it can be read on every other.
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
