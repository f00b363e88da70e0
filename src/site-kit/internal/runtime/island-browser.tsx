import { type ComponentType, createElement, type ErrorInfo, type ReactNode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { Decisions } from './team-browser'
import { dateKey, slotKey } from './serialize-props'

/** Adds the components around an error, for the overlay of `tilth dev`. */
function report(problem: unknown, { componentStack = '' }: ErrorInfo): void {
  reportError(problem instanceof Error ? Object.assign(problem, { componentStack }) : problem)
}

const listeners =
  process.env['NODE_ENV'] === 'development' ? { onUncaughtError: report, onRecoverableError: report } : {}

/** Hydrates the island with its component, and returns what takes it away again. */
export function mount(
  element: HTMLElement,
  module: Readonly<Record<string, ComponentType<Record<string, unknown>>>>,
): () => void {
  const { export: name = 'default', id = '', props = '{}', flags = '{}', slots = '{}' } = element.dataset
  const Component = module[name]
  if (!Component) throw new Error(`The module has no export “${name}”.`)
  const hidden = JSON.parse(slots) as Record<string, string>
  const slotHtml = (slot: string): string =>
    hidden[slot] ?? element.querySelector(`tilth-slot[data-slot="${slot}"]`)?.innerHTML ?? ''
  // the server has written them
  const read = readProps(JSON.parse(props), slotHtml) as Record<string, unknown>
  const root = hydrateRoot(
    element,
    <Decisions value={JSON.parse(flags) as Record<string, boolean | string>}>
      <Component {...read} />
    </Decisions>,
    { identifierPrefix: id, ...listeners },
  )
  return () => root.unmount()
}

function readProps(value: unknown, slotHtml: (id: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => readProps(one, slotHtml))
  if (typeof value !== 'object' || value === null) return value
  if (slotKey in value) return slotElement(String(value[slotKey]), slotHtml)
  if (dateKey in value) return new Date(String(value[dateKey]))
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, readProps(one, slotHtml)]))
}

/** Stays as the server has rendered it. */
const slotElement = (id: string, slotHtml: (id: string) => string): ReactNode =>
  createElement('tilth-slot', {
    'data-slot': id,
    suppressHydrationWarning: true,
    // oxlint-disable-next-line react/no-danger -- the server has rendered it
    dangerouslySetInnerHTML: { __html: slotHtml(id) },
  })
