import type { PostVersion } from '#posts/history'
import { differenceBetween, type DiffLine } from '#posts/difference'
import type { Post } from '#posts/post'
import { dateTime } from '#ui/format'
import { Panel } from '#ui/page/Panel'
import { RestoreVersion } from './RestoreVersion'
import { type PostFieldChange, fieldChanges, collapseUnchanged } from './field-changes'

interface DifferenceProps {
  slug: string
  id: string
  shown: PostVersion
  /** The version to compare with. Undefined for the first one, and if the previous one was deleted. */
  before: PostVersion | undefined
  isNewest: boolean
  isPublished: boolean
  timeZone: string
  whyNot: string | undefined
}

/** The changes of one version against the one before it. */
export function Difference(props: DifferenceProps) {
  const { slug, id, shown, before, isNewest, isPublished, timeZone, whyNot } = props
  const { version, by, at } = shown
  return (
    <Panel
      flush
      title={before ? `Version ${version} compared with version ${before.version}` : `Version ${version}`}
      description={`By ${by}, ${dateTime(at, timeZone)}`}
      actions={!isNewest && <RestoreVersion {...{ slug, id, version, isPublished, whyNot }} />}
    >
      <Fields changes={fieldChanges(before?.post, shown.post, timeZone)} />
      <Body lines={linesOf(before?.post, shown.post)} />
    </Panel>
  )
}

const linesOf = (before: Post | undefined, { body }: Post): DiffLine[] | undefined =>
  before?.body === body ? undefined : differenceBetween(before?.body ?? '', body)

function Fields({ changes }: { changes: readonly PostFieldChange[] }) {
  if (changes.length === 0) return null
  return (
    <dl className="divide-y divide-line border-t border-line">
      {changes.map(({ field, before, after }) => (
        <div key={field} className="grid gap-x-6 gap-y-0.5 px-4 py-2.5 sm:grid-cols-[9rem_minmax(0,1fr)]">
          <dt className="text-muted">{field}</dt>
          <dd className="min-w-0 wrap-anywhere">
            {before && <del className={removedClass}>{before}</del>}{' '}
            {after && <ins className={addedClass}>{after}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Body({ lines }: { lines: readonly DiffLine[] | undefined }) {
  if (!lines) return <p className="border-t border-line px-4 py-3 text-muted">No changes in the text.</p>
  return (
    // A box that scrolls must be reachable without a mouse.
    <section
      aria-label="The text"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="max-h-160 overflow-auto border-t border-line font-mono text-xs/5 focus-visible:-outline-offset-2"
    >
      {collapseUnchanged(lines).map((line, index) =>
        'left' in line ? (
          <p key={index} className="bg-sunken px-4 py-1 text-muted">
            {line.left} unchanged lines
          </p>
        ) : (
          <Line key={index} {...line} />
        ),
      )}
    </section>
  )
}

const removedClass = 'rounded-xs bg-danger-soft text-danger-ink'
const addedClass = 'rounded-xs bg-success-soft text-success-ink no-underline'

const lineStyles = {
  same: { sign: ' ', box: '' },
  added: { sign: '+', box: 'bg-success-soft' },
  removed: { sign: '−', box: 'bg-danger-soft' },
}

function Line({ state, text, pieces }: DiffLine) {
  const { sign, box } = lineStyles[state]
  const Tag = state === 'added' ? 'ins' : state === 'removed' ? 'del' : 'span'
  return (
    <div className={`flex gap-3 px-4 py-0.5 ${box}`}>
      <span aria-hidden className="text-faint select-none">
        {sign}
      </span>
      <Tag className="min-w-0 wrap-anywhere whitespace-pre-wrap no-underline">
        {pieces
          ? pieces.map((piece, index) =>
              piece.state === 'same' ? (
                <span key={index}>{piece.text}</span>
              ) : (
                <mark key={index} className={markClass[piece.state]}>
                  {piece.text}
                </mark>
              ),
            )
          : text}
      </Tag>
    </div>
  )
}

const markClass = {
  added: 'rounded-xs bg-success-line text-ink',
  removed: 'rounded-xs bg-danger-line text-ink',
}
