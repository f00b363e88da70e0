import { type ComponentType, createElement, type ReactNode } from 'react'
import { currentContext, renderToText, renderWithin } from './rendering'
import { serializeProps, type Slot } from './serialize-props'

export interface IslandPlace {
  /** The address of the module for browsers. */
  module: string
  /** The export of the module. */
  export: string
  name: string
  file: string
}

type AnyComponent = ComponentType<Record<string, unknown>>

/** Constants may be exported beside components. Memoised components are objects. */
const isComponent = (value: unknown): value is AnyComponent =>
  typeof value === 'function' || (typeof value === 'object' && value !== null && '$$typeof' in value)

/** Stands for an export of a client module in server components: it renders the component as an island. */
export function island(value: unknown, place: IslandPlace): unknown {
  if (!isComponent(value) || !/^(?:default$|[A-Z])/.test(place.export)) return value
  const Island = (props: Record<string, unknown>) => renderIsland(value, props, place)
  Island.displayName = place.name
  return Island
}

/** Renders the component apart from the rest, because the browser hydrates it apart from the rest. */
async function renderIsland(
  Component: AnyComponent,
  props: Readonly<Record<string, unknown>>,
  place: IslandPlace,
): Promise<ReactNode> {
  const { rendering } = currentContext()
  const id = rendering.nextId()
  const { json, slots, withSlots } = serializeProps(props, place, () => rendering.nextId())
  const contents = await renderSlots(slots)
  const flags: Record<string, boolean | string> = {}
  const html = await renderWithin({ rendering, islandFlags: flags }, () =>
    renderToText(<Component {...withSlots((slot) => slotElement(slot, contents))} />, id),
  ).then(withLastingSeparators)
  return createElement('tilth-island', {
    'data-module': place.module,
    'data-export': place.export,
    'data-id': id,
    'data-props': json,
    'data-flags': JSON.stringify(flags),
    'data-slots': hiddenSlots(contents, html),
    // oxlint-disable-next-line react/no-danger -- React has rendered it
    dangerouslySetInnerHTML: { __html: html },
  })
}

/** Pages lose the comments that React puts between texts; islands need them, and any comment will do. */
const withLastingSeparators = (html: string): string => html.replaceAll('<!-- -->', '<!---->')

type SlotContents = ReadonlyMap<string, string>

async function renderSlots(slots: readonly Slot[]): Promise<SlotContents> {
  const contents = new Map<string, string>()
  for (const { id, node } of slots) contents.set(id, await renderToText(node))
  return contents
}

const slotElement = ({ id }: Slot, contents: SlotContents): ReactNode =>
  createElement('tilth-slot', {
    'data-slot': id,
    // oxlint-disable-next-line react/no-danger -- React has rendered it
    dangerouslySetInnerHTML: { __html: contents.get(id) ?? '' },
  })

/** The slots that the component does not show at first; it may show them later. */
function hiddenSlots(contents: SlotContents, html: string): string | undefined {
  const hidden = [...contents].filter(([id]) => !html.includes(`<tilth-slot data-slot="${id}">`))
  return hidden.length > 0 ? JSON.stringify(Object.fromEntries(hidden)) : undefined
}
