import { Fragment, jsx as drawOne, jsxs as drawMany } from 'react/jsx-runtime'
import type { ElementType } from 'react'
import { isFormAction, unknownAction } from './form-actions'

export { Fragment }

export type Props = Readonly<Record<string, unknown>>

const actionProps: ReadonlySet<string> = new Set(['action', 'formAction'])

/** The server would drop a handler without a word. */
export function refuseHandlers(type: ElementType, props: Props): void {
  if (typeof type !== 'string') return
  const handler = Object.keys(props).find(
    (name) =>
      typeof props[name] === 'function' &&
      name !== 'ref' &&
      !(actionProps.has(name) && isFormAction(props[name])),
  )
  if (handler === undefined) return
  if (actionProps.has(handler)) throw new Error(unknownAction)
  throw new Error(
    `<${type} ${handler}={…}> works in client components only. ` +
      "Write 'use client' into the first line of the file that draws it.",
  )
}

export function jsx(type: ElementType, props: Props, key?: string): unknown {
  refuseHandlers(type, props)
  return drawOne(type, props, key)
}

export function jsxs(type: ElementType, props: Props, key?: string): unknown {
  refuseHandlers(type, props)
  return drawMany(type, props, key)
}
