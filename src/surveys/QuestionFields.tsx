import { ChoiceOptions, PictureOptions, RankingRows } from './ChoiceOptions'
import { fieldName } from './form-fields'
import type {
  Answer,
  ConsentQuestion,
  ContactQuestion,
  LinkQuestion,
  MatrixQuestion,
  OpenQuestion,
  Question,
} from './question'
import { RatingMarks } from './RatingMarks'
import type { SurveyWords } from './run/words'

interface QuestionFieldsProps {
  /** In the language that is shown, with choices in the order that is shown. */
  question: Question
  answer?: Answer | undefined
  words: SurveyWords
}

/** The form fields of a question, native ones only: they work without a script. `answerFromForm` reads them. */
export function QuestionFields({ question, answer, words }: QuestionFieldsProps) {
  switch (question.kind) {
    case 'open':
      return <OpenField question={question} answer={answer} />
    case 'rating':
      return <RatingMarks question={question} answer={answer} words={words} />
    case 'single-choice':
    case 'multiple-choice':
      return <ChoiceOptions question={question} answer={answer} words={words} />
    case 'picture':
      return <PictureOptions question={question} answer={answer} />
    case 'ranking':
      return <RankingRows question={question} answer={answer} words={words} />
    case 'matrix':
      return <MatrixTable question={question} answer={answer} />
    case 'date':
      return (
        <input
          type="date"
          className="text"
          name={fieldName(question)}
          min={question.earliest}
          max={question.latest}
          defaultValue={textOf(answer)}
          required={question.isRequired}
          aria-label={question.text}
        />
      )
    case 'contact':
      return <ContactFields question={question} answer={answer} words={words} />
    case 'consent':
      return <ConsentField question={question} answer={answer} />
    case 'link':
      return <LinkField question={question} words={words} />
    default:
      return null
  }
}

const OpenField = ({ question, answer }: { question: OpenQuestion; answer: Answer | undefined }) => (
  <textarea
    className="text"
    name={fieldName(question)}
    placeholder={question.placeholder || undefined}
    defaultValue={textOf(answer)}
    required={question.isRequired}
    minLength={question.minLength}
    maxLength={question.maxLength}
    aria-label={question.text}
    rows={3}
  />
)

function MatrixTable({ question, answer }: { question: MatrixQuestion; answer: Answer | undefined }) {
  const given = partsOf(answer)
  return (
    <div className="matrix">
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span className="hidden-text">{question.text}</span>
            </th>
            {question.columns.map(({ id, text }) => (
              <th key={id} scope="col">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {question.rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">{row.text}</th>
              {question.columns.map((column) => (
                <td key={column.id}>
                  <label data-column={column.text}>
                    <input
                      type="radio"
                      name={fieldName(question, row.id)}
                      value={column.id}
                      defaultChecked={given[row.id] === column.id}
                      required={question.isRequired}
                      aria-label={`${row.text}: ${column.text}`}
                    />
                  </label>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const contactInputs = {
  name: { type: 'text', autoComplete: 'name' },
  email: { type: 'email', autoComplete: 'email' },
  phone: { type: 'tel', autoComplete: 'tel' },
  company: { type: 'text', autoComplete: 'organization' },
} as const

function ContactFields({
  question,
  answer,
  words,
}: {
  question: ContactQuestion
  answer: Answer | undefined
  words: SurveyWords
}) {
  const given = partsOf(answer)
  return (
    <div className="contact">
      {question.fields.map(({ field, isRequired }) => {
        const name = fieldName(question, field)
        return (
          <div key={field}>
            <label>
              <span>{words[field]}</span>
              <input
                {...contactInputs[field]}
                className="text"
                name={name}
                defaultValue={given[field]}
                required={isRequired && question.isRequired}
                maxLength={254}
              />
            </label>
          </div>
        )
      })}
    </div>
  )
}

const ConsentField = ({ question, answer }: { question: ConsentQuestion; answer: Answer | undefined }) => (
  <label className="option">
    <input
      type="checkbox"
      name={fieldName(question)}
      value="yes"
      defaultChecked={answer === true}
      required={question.isRequired}
    />
    <span>{question.label}</span>
  </label>
)

/** The link opens beside the survey; following it is the answer. */
const LinkField = ({ question, words }: { question: LinkQuestion; words: SurveyWords }) =>
  isLink(question.link) && (
    <>
      <input type="hidden" name={fieldName(question)} value="link clicked" />
      <a href={question.link} target="_blank" rel="noopener noreferrer" data-link="">
        {words.open}
      </a>
    </>
  )

const isLink = (link: string): boolean => /^(?:https:\/\/|mailto:)/i.test(link)

const textOf = (answer: Answer | undefined): string | undefined =>
  typeof answer === 'string' ? answer : undefined

const partsOf = (answer: Answer | undefined): Readonly<Record<string, string | undefined>> =>
  typeof answer === 'object' && !isList(answer) ? answer : {}
const isList = (answer: object): answer is readonly string[] => Array.isArray(answer)
