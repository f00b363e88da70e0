import type { FindingText, WeeklyFindings } from '#findings/finding'
import { LinkButton } from '#ui/LinkButton'
import { Panel } from '#ui/page/Panel'
import { paths } from '#studio/paths'

interface FindingListProps extends WeeklyFindings {
  slug: string
  title: string
}

/** The sentences about a week, each with its reason and what to do; or why there are none. */
export function FindingList({ slug, title, week, findings, none, compared }: FindingListProps) {
  if (findings.length === 0)
    return (
      <Panel title={title}>
        <p className="font-medium">{none}</p>
        <p className="text-muted">{compared}</p>
      </Panel>
    )
  return (
    <Panel title={title} description={`Week of ${week}`} footer={compared} flush>
      <ol className="divide-y divide-line border-t border-line">
        {findings.map(({ rule, headline, reason, action }) => (
          <li
            key={`${rule} ${action.path}`}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-3"
          >
            <div className="min-w-0 grow basis-72">
              <p className="break-words">
                <Headline text={headline} />
              </p>
              <p className="text-muted break-words">{reason}</p>
            </div>
            <LinkButton href={paths.finding(slug, action.path)}>{action.label}</LinkButton>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

const Headline = ({ text }: { text: FindingText }) =>
  text.map((part, index) =>
    typeof part === 'string' ? (
      part
    ) : (
      // parts of a sentence do not move
      <b key={index} className="font-semibold">
        {part.name}
      </b>
    ),
  )
