import type { PersonLabel } from '#insights/people/person-label'
import { Badge } from '#ui/Badge'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Table } from '#ui/table/Table'
import type { TableColumn } from '#ui/table/column'
import { paths } from '#studio/paths'
import { PersonName } from '#studio/parts/PersonName'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import { RemoveResponse } from './RemoveResponse'
import { type ResponseState, ResponseStateBadge, stateLabels } from './ResponseStateBadge'

interface ResponseRow {
  id: string
  answeredAt: Date
  state: ResponseState
  /** The person's name, or an id. */
  person: string
  /** Absent for members who may not see persons. */
  label: PersonLabel | undefined
  /** The answers in words, by question. */
  answers: ReadonlyMap<string, string>
  /** Hidden fields, by name. */
  fields: Readonly<Record<string, string>>
  tags: readonly string[]
}

/** A question that has a column. */
interface QuestionColumn {
  id: string
  text: string
  isNumber: boolean
}

interface ResponsesTableProps {
  slug: string
  survey: string
  clock: Clock
  questions: readonly QuestionColumn[]
  fields: readonly string[]
  rows: readonly ResponseRow[]
  /** The rows are responses that were taken out of the results. */
  areRemoved: boolean
  whyNot: string | undefined
}

export function ResponsesTable({
  slug,
  survey,
  clock,
  questions,
  fields,
  rows,
  areRemoved,
  whyNot,
}: ResponsesTableProps) {
  return (
    <Table
      caption="Responses"
      columns={columnsFor(clock, questions, fields)}
      rows={rows}
      rowKey={({ id }) => id}
      rowHref={({ id }) => paths.surveyResponse(slug, survey, id)}
      empty={
        areRemoved ? (
          <EmptyMessage
            title="No removed responses"
            body="Remove test responses from the results. They are listed here and can be restored."
          />
        ) : (
          <EmptyMessage
            title="No responses"
            body="Choose a longer period, or remove conditions. Responses are listed within a minute."
          />
        )
      }
      actions={removalFor({ slug, survey, whyNot, isRemoved: areRemoved })}
    />
  )
}

function removalFor(props: Pick<ResponsesTableProps, 'slug' | 'survey' | 'whyNot'> & { isRemoved: boolean }) {
  return ({ id, person }: ResponseRow) => <RemoveResponse {...props} response={id} of={person} />
}

const columnsFor = (
  clock: Clock,
  questions: readonly QuestionColumn[],
  fields: readonly string[],
): TableColumn<ResponseRow>[] => [
  {
    key: 'person',
    header: 'Person',
    width: '11rem',
    cell: ({ person, label, answers, state, tags }) => (
      <>
        <span className="block max-w-44 truncate">
          {label ? <PersonName label={label} /> : <bdi>{person}</bdi>}
        </span>
        {tags.length > 0 && (
          <span className="mt-1 flex flex-wrap gap-1">
            {tags.map((tag) => (
              <Badge key={tag}>{tag}</Badge>
            ))}
          </span>
        )}
        <span className="mt-0.5 line-clamp-3 text-xs font-normal break-words whitespace-normal text-muted @xl/table:hidden">
          {[...answers.values()].join(' · ') || 'No answers'}
        </span>
        <span className="mt-0.5 block text-xs font-normal text-faint @xl/table:hidden">
          {stateLabels[state]}
        </span>
      </>
    ),
  },
  ...questions.map(({ id, text, isNumber }, index): TableColumn<ResponseRow> => ({
    key: `question ${id}`,
    header: shortened(`${index + 1}. ${text}`, isNumber ? shortHeader : longHeader),
    about: text,
    needs: '40rem',
    ...(isNumber ? { numeric: true } : { truncate: true }),
    cell: ({ answers }) => <AnswerCell answer={answers.get(id)} />,
  })),
  ...fields.map((name): TableColumn<ResponseRow> => ({
    key: `field ${name}`,
    header: shortened(name, longHeader),
    about: `Hidden field: ${name}`,
    needs: '40rem',
    truncate: true,
    cell: ({ fields: given }) => <AnswerCell answer={given[name]} />,
  })),
  {
    key: 'state',
    header: 'State',
    needs: '40rem',
    width: '8rem',
    cell: ({ state }) => <ResponseStateBadge state={state} />,
  },
  {
    key: 'answered',
    header: 'Answered',
    width: '8rem',
    cell: ({ answeredAt }) => <RelativeTime at={answeredAt} clock={clock} />,
  },
]

const AnswerCell = ({ answer }: { answer: string | undefined }) =>
  answer === undefined ? <span className="text-faint">–</span> : <bdi title={answer}>{answer}</bdi>

const shortHeader = 16
const longHeader = 32

const shortened = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).trimEnd()}…` : text
