import { number } from '#ui/format'

const maxShown = 10

/** Flags that code requests and that do not exist: misspelt, or not created yet. */
export function UnknownFlags({ flags }: { flags: readonly { key: string; persons: number }[] }) {
  if (flags.length === 0) return null
  return (
    <p className="border-t border-line px-4 py-2.5 text-xs text-pretty text-muted">
      Code also evaluates flags that do not exist:{' '}
      {flags.slice(0, maxShown).map(({ key, persons }, index) => (
        <span key={key}>
          {index > 0 && ', '}
          <span className="font-mono text-ink">{key}</span> ({number(persons)}{' '}
          {persons === 1 ? 'person' : 'people'})
        </span>
      ))}
      {flags.length > maxShown && ` and ${number(flags.length - maxShown)} more`}.
    </p>
  )
}
