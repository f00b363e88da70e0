import { Component, type ComponentType, createElement, type ErrorInfo, type ReactNode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { Decisions, track } from './team-browser'
import { dateKey, slotKey } from './serialize-props'

/** Adds the components around an error, for the overlay of `tilth dev`. */
function report(problem: unknown, { componentStack = '' }: ErrorInfo): void {
  reportError(problem instanceof Error ? Object.assign(problem, { componentStack }) : problem)
}

const listeners = process.env['NODE_ENV'] === 'development' ? { onRecoverableError: report } : {}

interface KeptHtmlProps {
  /** The HTML of the server. */
  html: string
  children: ReactNode
}

/** Shows the HTML of the server in place of a component that throws, and records the exception. */
class KeptHtml extends Component<KeptHtmlProps, { isFailed: boolean }> {
  override state = { isFailed: false }

  static getDerivedStateFromError() {
    return { isFailed: true }
  }

  override componentDidCatch(problem: unknown, { componentStack }: ErrorInfo): void {
    track('$exception', exceptionOf(problem))
    report(problem, { componentStack: componentStack ?? '' })
  }

  override render(): ReactNode {
    const { html, children } = this.props
    if (!this.state.isFailed) return children
    // oxlint-disable-next-line react/no-danger -- the server has rendered it
    return createElement('tilth-slot', { dangerouslySetInnerHTML: { __html: html } })
  }
}

/** The properties of an exception, as PostHog's browser SDK names them. */
function exceptionOf(problem: unknown): Record<string, unknown> {
  const { name: type, message: value } = problem instanceof Error ? problem : new Error(String(problem))
  return {
    $exception_level: 'error',
    $exception_types: [type],
    $exception_values: [value],
    $exception_list: [{ type, value, mechanism: { type: 'react', handled: true } }],
  }
}

/** Hydrates the island with its component, and returns what takes it away again. */
export function mount(
  element: HTMLElement,
  module: Readonly<Record<string, ComponentType<Record<string, unknown>>>>,
): () => void {
  const { export: name = 'default', id = '', props = '{}', flags = '{}', slots = '{}' } = element.dataset
  const Island = module[name]
  if (!Island) throw new Error(`The module has no export “${name}”.`)
  const hidden = JSON.parse(slots) as Record<string, string>
  const slotHtml = (slot: string): string =>
    hidden[slot] ?? element.querySelector(`tilth-slot[data-slot="${slot}"]`)?.innerHTML ?? ''
  // the server has written them
  const read = readProps(JSON.parse(props), slotHtml) as Record<string, unknown>
  const root = hydrateRoot(
    element,
    <KeptHtml html={element.innerHTML}>
      <Decisions value={JSON.parse(flags) as Record<string, boolean | string>}>
        <Island {...read} />
      </Decisions>
    </KeptHtml>,
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
