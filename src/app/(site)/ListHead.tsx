import type { ReactNode } from 'react'

interface ListHeadProps {
  title: string
  words?: string
  mark?: string
  children?: ReactNode
}

export function ListHead({ title, words, mark, children }: ListHeadProps) {
  return (
    <header className="list-head">
      {mark && <p className="mark">{mark}</p>}
      <h1 dir="auto">{title}</h1>
      {words && (
        <p className="lead-words" dir="auto">
          {words}
        </p>
      )}
      {children}
    </header>
  )
}
