'use client'

import {
  createContext,
  type ComponentPropsWithRef,
  type MouseEvent,
  type ReactNode,
  startTransition,
  type SyntheticEvent,
  use,
  useOptimistic,
} from 'react'
import { type Navigation, useNavigationTo } from './navigation/Navigation'

export type AnchorProps = ComponentPropsWithRef<'a'> & { href: string }

const KeepsScrollContext = createContext(false)

/** Around links that ask the same page something else: it stays where it is scrolled to. */
export const ScrollKeepingLinks = ({ children }: { children: ReactNode }) => (
  <KeepsScrollContext value={true}>{children}</KeepsScrollContext>
)

/** A link. Within the application it navigates without a new document, and shows at once that it was pressed. */
export function Anchor({ href, children, ...props }: AnchorProps) {
  const navigation = useNavigationTo(href)
  const leavesPage = props.target === '_blank' || props.download !== undefined
  if (navigation && !leavesPage)
    return (
      <SoftLink {...props} href={href} navigation={navigation}>
        {children}
      </SoftLink>
    )
  return (
    <a {...props} href={href}>
      {children}
    </a>
  )
}

function SoftLink({ navigation, href, children, ...props }: AnchorProps & { navigation: Navigation }) {
  const keepsScroll = use(KeepsScrollContext)
  const [isPending, setPending] = useOptimistic(false)

  const prefetch = () => navigation.prefetch(href)
  const expect = () => expectIntent(prefetch)
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.defaultPrevented || !isPlainClick(event)) return
    event.preventDefault()
    forgetIntent()
    startTransition(() => {
      setPending(true)
      navigation.push(href, keepsScroll ? { scroll: false } : undefined)
    })
  }

  return (
    // Enter presses a link, so it needs no keys of its own.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <a
      {...props}
      href={href}
      aria-busy={isPending || undefined}
      data-pending={isPending || undefined}
      onClick={both(props.onClick, follow)}
      onPointerEnter={both(props.onPointerEnter, expect)}
      onPointerLeave={both(props.onPointerLeave, forgetIntent)}
      onFocus={both(props.onFocus, expect)}
      onBlur={both(props.onBlur, forgetIntent)}
      onTouchStart={both(props.onTouchStart, prefetch)}
    >
      {children}
    </a>
  )
}

/** Anything else opens a tab, a window or a menu, which is the browser's to do. */
const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey

const both =
  <Event extends SyntheticEvent>(
    first: ((event: Event) => void) | undefined,
    second: (event: Event) => void,
  ) =>
  (event: Event) => {
    first?.(event)
    second(event)
  }

/** A link inside running text. */
export function TextLink({ className = '', ...props }: AnchorProps) {
  return (
    <Anchor
      {...props}
      className={`rounded-xs font-medium text-accent-ink underline decoration-accent-line underline-offset-3 hover:decoration-current ${className}`}
    />
  )
}

/** A pointer that only passes over a link, or focus on its way to another, asks for nothing. */
const intentAfterMs = 60

// There is one pointer and one focus, so at most one link is about to be followed.
let expected: ReturnType<typeof setTimeout> | undefined

/** Prepares for a link that a person rests on, unless `forgetIntent` comes first. */
function expectIntent(prepare: () => void): void {
  forgetIntent()
  expected = setTimeout(prepare, intentAfterMs)
}

function forgetIntent(): void {
  clearTimeout(expected)
}
