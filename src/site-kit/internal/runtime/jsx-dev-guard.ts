import { Fragment, jsxDEV as drawElement } from 'react/jsx-dev-runtime'
import type { ElementType } from 'react'
import { type Props, refuseHandlers } from './jsx-guard'

export { Fragment }

export function jsxDEV(type: ElementType, props: Props, ...others: readonly unknown[]): unknown {
  refuseHandlers(type, props)
  // the compiler has written them
  return Reflect.apply(drawElement, undefined, [type, props, ...others])
}
