import { createElement, createRef, lazy, type ReactElement, type Ref } from 'react'
import { expect, test } from 'vitest'
import { Extended } from './trigger'

interface ButtonProps {
  ref: Ref<HTMLElement>
  onClick: (event: string) => void
  'aria-busy'?: boolean
  title?: string
}

/** The props of the element, as a component would read them. */
const propsOf = (element: ReactElement) => element.props as ButtonProps

test('runs its own handler first, then the one that is added', () => {
  const messages: string[] = []
  const button = createElement('button', { onClick: () => messages.push('own') })
  const extended = Extended({ element: button, onClick: () => messages.push('added') })
  propsOf(extended).onClick('press')
  expect(messages).toEqual(['own', 'added'])
})

test('keeps what is not added', () => {
  const button = createElement('button', { title: 'More', 'aria-busy': true })
  const extended = propsOf(Extended({ element: button, 'aria-busy': undefined }))
  expect(extended).toMatchObject({ title: 'More', 'aria-busy': true })
})

test('fills both refs, and empties them together', () => {
  const own = createRef<HTMLElement>()
  const added = createRef<HTMLElement>()
  const { ref } = propsOf(
    Extended({ element: createElement('button', { ref: own as Ref<HTMLButtonElement> }), ref: added }),
  )
  // only its identity matters here
  const node = {} as HTMLElement
  if (typeof ref !== 'function') throw new Error('two refs are joined by a function')
  const empty = ref(node)
  expect([own.current, added.current]).toEqual([node, node])
  if (empty) empty()
  expect([own.current, added.current]).toEqual([null, null])
})

test('resolves an element that a server component handed over', () => {
  const button = createElement('button', { title: 'More' })
  // as React's client reads it: a lazy node in the place of an element, which is there at once
  const node = lazy(
    // oxlint-disable-next-line unicorn/no-thenable
    () => ({ then: (take: (module: { default: unknown }) => void) => take({ default: button }) }) as never,
  )
  const extended = propsOf(Extended({ element: node as unknown as ReactElement, 'aria-busy': true }))
  expect(extended).toMatchObject({ title: 'More', 'aria-busy': true })
})
