'use client'

import {
  createContext,
  createElement,
  use,
  type ComponentPropsWithRef,
  type ComponentType,
  type ReactNode,
} from 'react'

export type AnchorProps = ComponentPropsWithRef<'a'> & { href: string }

const AnchorContext = createContext<ComponentType<AnchorProps> | 'a'>('a')

/** Names the component behind every link drawn here. A framework's own link navigates without loading a document. */
export function AnchorProvider({ as, children }: { as: ComponentType<AnchorProps>; children: ReactNode }) {
  return <AnchorContext value={as}>{children}</AnchorContext>
}

/** A link. Plain `<a>` unless the application named its own. */
export function Anchor(props: AnchorProps) {
  return createElement(use(AnchorContext), props)
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
