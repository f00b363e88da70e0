import { ratingValues } from './flow'
import { fieldName } from './form-fields'
import type { RatingQuestion } from './question'
import { ratingIcon, ratingLabel } from './run/common-kinds'
import type { SurveyWords } from './run/words'

/** A mark for each value of a scale: a number, a star, a face or a thumb. */
export function RatingMarks({
  question,
  answer,
  words,
}: {
  question: RatingQuestion
  answer: unknown
  words: SurveyWords
}) {
  const { display, scale, lowerLabel, upperLabel, isRequired } = question
  const values = ratingValues(scale)
  return (
    <>
      <div className={`scale of-${values.length} ${displayClass[display]}`}>
        {values.map((value) => (
          <label key={value} className="mark">
            <input
              type="radio"
              name={fieldName(question)}
              value={value}
              defaultChecked={answer === value}
              required={isRequired}
              aria-label={ratingLabel(question, value, words)}
            />
            <span aria-hidden>
              <Mark path={ratingIcon(question, value)} value={value} />
            </span>
          </label>
        ))}
      </div>
      {(lowerLabel || upperLabel) && (
        <div className="ends" aria-hidden>
          <span>{lowerLabel}</span>
          <span>{upperLabel}</span>
        </div>
      )}
    </>
  )
}

const displayClass = { number: 'numbers', stars: 'icons stars', emoji: 'icons faces' }

const Mark = ({ path, value }: { path: string | undefined; value: number }) =>
  path === undefined ? (
    value
  ) : (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      aria-hidden
    >
      <path d={path} />
    </svg>
  )
