/** A value that the reader finds in the table of its figure. */
export type PointValue = {
  label: string
  text: string
  seriesKey?: string
  colour?: string
  isCompared: boolean
  y?: number
  href?: string
}

export type ReadRow = {
  row: number
  title: string
  x: number
  y?: number
  href?: string
  lines: PointValue[]
  /** The index of the current line. */
  line: number
}

const figureOf = (frame: Element) => frame.closest('.chart')

const rowsOf = (frame: Element) =>
  Array.from(figureOf(frame)?.querySelectorAll<HTMLElement>('.chart-table tbody tr') ?? [])

export const countRows = (frame: Element): number => rowsOf(frame).length

export function readRow(frame: Element, row: number): ReadRow | undefined {
  const line = rowsOf(frame)[row]
  if (!line) return undefined
  return {
    row,
    title: line.querySelector('th')?.textContent ?? '',
    x: Number(line.dataset.x),
    y: percentIn(line.dataset.y),
    href: line.dataset.href,
    lines: linesOf(frame, line),
    line: 0,
  }
}

/** Series that are switched off in the legend are not read. */
function linesOf(frame: Element, row: Element): PointValue[] {
  const figure = figureOf(frame)
  const heads = Array.from(figure?.querySelectorAll<HTMLElement>('.chart-table thead th') ?? []).slice(1)
  const off = new Set(
    Array.from(
      figure?.querySelectorAll<HTMLInputElement>('.series-switch:not(:checked)') ?? [],
      (one) => one.value,
    ),
  )
  return Array.from(row.querySelectorAll('td')).flatMap((cell, index) => {
    const head = heads[index]
    if (!head || off.has(head.dataset.series ?? '')) return []
    return [lineOf(head, cell)]
  })
}

const lineOf = (head: HTMLElement, cell: HTMLElement): PointValue => ({
  label: head.textContent ?? '',
  text: cell.textContent ?? '',
  seriesKey: head.dataset.key,
  colour: head.dataset.colour && `var(--color-chart-${head.dataset.colour})`,
  isCompared: 'compared' in head.dataset,
  y: percentIn(cell.dataset.y),
  href: cell.dataset.href,
})

const percentIn = (text: string | undefined) => (text === undefined ? undefined : Number(text))

export function nearestRow(frame: Element, clientX: number): number | undefined {
  const { left, width } = frame.getBoundingClientRect()
  const x = ((clientX - left) / width) * 100
  return nearest(
    rowsOf(frame).map((row) => Number(row.dataset.x)),
    x,
  )
}

/** The line of a row that is nearest to the pointer; lines of the compared period are read along with their own. */
export function nearestSeries(frame: Element, row: number, clientY: number): number | undefined {
  const { top, height } = frame.getBoundingClientRect()
  return nearest(
    readRow(frame, row)?.lines.map(({ y, isCompared }) => (y === undefined || isCompared ? Infinity : y)) ??
      [],
    ((clientY - top) / height) * 100,
  )
}

export function rowUnder(target: EventTarget): number | undefined {
  const mark = target instanceof Element ? target.closest('[data-row]') : null
  return mark ? Number(mark.getAttribute('data-row')) : undefined
}

function nearest(positions: readonly number[], wanted: number): number | undefined {
  let best: number | undefined
  for (const [index, position] of positions.entries()) {
    if (!Number.isFinite(position)) continue
    if (best === undefined || Math.abs(position - wanted) < Math.abs((positions[best] ?? 0) - wanted))
      best = index
  }
  return best
}

type ReadingStep = { rows: number; lines: number }

const readingSteps: Record<string, ReadingStep> = {
  ArrowRight: { rows: 1, lines: 0 },
  ArrowLeft: { rows: -1, lines: 0 },
  PageDown: { rows: 10, lines: 0 },
  PageUp: { rows: -10, lines: 0 },
  Home: { rows: -Infinity, lines: 0 },
  End: { rows: Infinity, lines: 0 },
  ArrowDown: { rows: 0, lines: 1 },
  ArrowUp: { rows: 0, lines: -1 },
}

type NavigationKeyPress = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean }

/** Points onward or series onward; in a grid, down is the next line of points. */
export function stepFor(
  { key, ctrlKey, metaKey, altKey }: NavigationKeyPress,
  stride?: number,
): ReadingStep | undefined {
  if (ctrlKey || metaKey || altKey) return undefined
  const step = readingSteps[key]
  return step && stride && step.lines ? { rows: step.lines * stride, lines: 0 } : step
}

/** The line that is meant comes first. */
export function rowText({ title, lines, line }: ReadRow, leads: boolean): string {
  const inOrder = [...lines.slice(line, line + 1), ...lines.filter((_, index) => index !== line)]
  const words = inOrder.map(({ label, text }) => `${label} ${text}`).join(', ')
  return `${title}: ${words}${leads ? '. Enter leads there.' : ''}`
}
