import { CopyButton } from './CopyButton'

/** Code to read and to copy. */
export function CodeBlock({
  code,
  language,
  title,
  wrap,
}: {
  code: string
  /** As shown to people: HTML, Shell, JSON. */
  language?: string
  /** The file or the page that the code belongs in. */
  title?: string
  wrap?: boolean
}) {
  const name = title ?? language ?? 'Code'
  return (
    // Contained, so that a long line scrolls in here and never widens the page around it.
    <figure className="relative min-w-64 overflow-hidden rounded-lg border border-line bg-sunken [contain:inline-size]">
      <figcaption className="flex h-9 items-center justify-between gap-3 border-b border-line pr-1 pl-3.5 text-xs">
        <span className="flex min-w-0 gap-2">
          {title && <span className="truncate font-medium">{title}</span>}
          {language && <span className="text-faint">{language}</span>}
        </span>
        <CopyButton text={code} label={`Copy ${name}`} />
      </figcaption>
      {/* A box that scrolls must be reachable without a mouse. */}
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label={name}
        className={`max-h-120 overflow-auto px-3.5 py-3 font-mono text-xs leading-5 focus-visible:-outline-offset-2 ${wrap ? 'break-words whitespace-pre-wrap' : ''}`}
      >
        <code>{code}</code>
      </pre>
    </figure>
  )
}
