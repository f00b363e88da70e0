import { number } from '../../../../../../ui/format'

const shown = 10

/** Code asks for what is not here: a slip of the pen, or a flag that nobody has made yet. */
export function NotThere({ flags }: { flags: readonly { key: string; persons: number }[] }) {
  if (flags.length === 0) return null
  return (
    <p className="border-t border-line px-4 py-2.5 text-xs text-pretty text-muted">
      Code also asks for what is not here:{' '}
      {flags.slice(0, shown).map(({ key, persons }, place) => (
        <span key={key}>
          {place > 0 && ', '}
          <span className="font-mono text-ink">{key}</span> ({number(persons)}{' '}
          {persons === 1 ? 'person' : 'people'})
        </span>
      ))}
      {flags.length > shown && ` and ${number(flags.length - shown)} more`}.
    </p>
  )
}
