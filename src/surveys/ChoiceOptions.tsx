import { fieldName, otherPart, otherValue } from './form-fields'
import { fillIn, type SurveyWords } from './run/words'
import type { Answer, Choice, ChoiceQuestion, PictureQuestion, RankingQuestion } from './question'

/** Single and multiple choice. The last choice takes a typed text where `hasOther` is set. */
export function ChoiceOptions({
  question,
  answer,
  words,
}: {
  question: ChoiceQuestion
  answer: Answer | undefined
  words: SurveyWords
}) {
  const given = textsOf(answer)
  const known = question.choices.map(({ text }) => text)
  const typed = given.find((text) => !known.includes(text))
  return (
    <ul className="options">
      {question.choices.map((choice) => {
        const isOther = question.hasOther && choice === question.choices.at(-1)
        return (
          <li key={choice.id}>
            <label className="option">
              <ChoiceInput
                question={question}
                value={isOther ? otherValue : choice.text}
                isChecked={isOther ? typed !== undefined : given.includes(choice.text)}
              />
              <span>{choice.text}</span>
            </label>
            {isOther && (
              <input
                className="text"
                name={fieldName(question, otherPart)}
                defaultValue={typed}
                aria-label={`${choice.text}: ${words.other}`}
                maxLength={10_000}
                dir="auto"
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}

function ChoiceInput({
  question,
  value,
  isChecked,
}: {
  question: ChoiceQuestion | PictureQuestion
  value: string
  isChecked: boolean
}) {
  const isSeveral =
    question.kind === 'multiple-choice' || (question.kind === 'picture' && question.allowsSeveral)
  return (
    <input
      type={isSeveral ? 'checkbox' : 'radio'}
      name={fieldName(question)}
      value={value}
      defaultChecked={isChecked}
      required={!isSeveral && question.isRequired}
    />
  )
}

export function PictureOptions({
  question,
  answer,
}: {
  question: PictureQuestion
  answer: Answer | undefined
}) {
  const given = textsOf(answer)
  return (
    <ul className="options pictures">
      {question.choices.map(({ id, text, imageUrl }) => (
        <li key={id}>
          <label className="option">
            {imageUrl !== '' && <img src={imageUrl} alt="" loading="lazy" referrerPolicy="no-referrer" />}
            <span>
              <ChoiceInput question={question} value={text} isChecked={given.includes(text)} />
              {text}
            </span>
          </label>
        </li>
      ))}
    </ul>
  )
}

/** A rank for each choice. It works without a script; scripts may offer dragging on top of it. */
export function RankingRows({
  question,
  answer,
  words,
}: {
  question: RankingQuestion
  answer: Answer | undefined
  words: SurveyWords
}) {
  const given = textsOf(answer)
  return (
    <ol className="options">
      {question.choices.map((choice) => (
        <li key={choice.id} className="option rank">
          <RankSelect
            question={question}
            choice={choice}
            rank={given.indexOf(choice.text) + 1}
            words={words}
          />
        </li>
      ))}
    </ol>
  )
}

function RankSelect({
  question,
  choice,
  rank,
  words,
}: {
  question: RankingQuestion
  choice: Choice
  rank: number
  words: SurveyWords
}) {
  return (
    <>
      <label>{choice.text}</label>
      <select
        aria-label={fillIn(words.rank, choice.text)}
        name={fieldName(question, choice.id)}
        className="text"
        defaultValue={rank === 0 ? '' : String(rank)}
        required={question.isRequired}
      >
        <option value="">–</option>
        {question.choices.map(({ id }, index) => (
          <option key={id} value={index + 1}>
            {index + 1}
          </option>
        ))}
      </select>
    </>
  )
}

const textsOf = (answer: Answer | undefined): readonly string[] =>
  Array.isArray(answer) ? answer : typeof answer === 'string' && answer !== '' ? [answer] : []
