import type { ReactNode } from 'react'

export type Description = { term: string; value: ReactNode; mono?: boolean }

/** Facts about one thing: a term, and what holds for it. */
export function DescriptionList({ facts }: { facts: Description[] }) {
  return (
    <dl className="divide-y divide-line">
      {facts.map(({ term, value, mono }) => (
        <div key={term} className="grid gap-x-6 gap-y-0.5 py-2 sm:grid-cols-[minmax(8rem,1fr)_2fr]">
          <dt className="text-muted">{term}</dt>
          <dd className={`min-w-0 break-words ${mono ? 'font-mono text-xs leading-5' : ''}`}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
