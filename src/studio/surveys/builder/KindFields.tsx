'use client'

import {
  type ChoiceQuestion,
  contactFields,
  type ContactQuestion,
  type DateQuestion,
  type OpenQuestion,
  type SurveyQuestion,
  type RatingQuestion,
  ratingScales,
} from '#surveys/question'
import { Checkbox } from '#ui/form/Checkbox'
import { Field } from '#ui/form/Field'
import { NumberInput } from '#ui/form/NumberInput'
import { Select } from '#ui/form/Select'
import { TextInput } from '#ui/form/TextInput'
import { useBuilder, useProblem } from './BuilderContext'
import { ChoiceListFields } from './ChoiceListFields'
import { replaceQuestion } from './content-changes'

function usePut<Kind extends SurveyQuestion>(question: Kind) {
  const { changeContent } = useBuilder()
  return (part: Partial<Kind>) =>
    changeContent((content) => replaceQuestion(content, { ...question, ...part }))
}

/** The fields that only questions of a kind have. */
export function KindFields({ question }: { question: SurveyQuestion }) {
  switch (question.kind) {
    case 'open':
      return <OpenFields question={question} />
    case 'rating':
      return <RatingFields question={question} />
    case 'single-choice':
    case 'multiple-choice':
      return <ChoiceFields question={question} />
    case 'ranking':
      return <ChoiceListFields question={question} name="choices" />
    case 'picture':
      return <PictureFields question={question} />
    case 'matrix':
      return (
        <div className="grid gap-4 sm:grid-cols-2">
          <ChoiceListFields question={question} name="rows" />
          <ChoiceListFields question={question} name="columns" />
        </div>
      )
    case 'link':
      return <LinkFields question={question} />
    case 'date':
      return <DateFields question={question} />
    case 'contact':
      return <ContactFields question={question} />
    case 'consent':
      return <ConsentFields question={question} />
    default:
      return null
  }
}

function OpenFields({ question }: { question: OpenQuestion }) {
  const put = usePut(question)
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <Field label="Placeholder" optional {...useProblem(`${question.id}:placeholder`)}>
        <TextInput
          value={question.placeholder}
          onChange={({ target }) => put({ placeholder: target.value })}
        />
      </Field>
      <Field label="Minimum length" optional {...useProblem(`${question.id}:minLength`)}>
        <NumberInput
          value={question.minLength ?? null}
          min={1}
          max={10_000}
          unit="characters"
          onChange={(next) => put({ minLength: next ?? undefined })}
        />
      </Field>
      <Field label="Maximum length" optional {...useProblem(`${question.id}:maxLength`)}>
        <NumberInput
          value={question.maxLength ?? null}
          min={1}
          max={10_000}
          unit="characters"
          onChange={(next) => put({ maxLength: next ?? undefined })}
        />
      </Field>
    </div>
  )
}

const displays = [
  { value: 'number', label: 'Numbers' },
  { value: 'stars', label: 'Stars' },
  { value: 'emoji', label: 'Faces' },
] as const

const scaleWords: Record<RatingQuestion['scale'], string> = {
  2: 'Thumbs up and down',
  3: '1 to 3',
  5: '1 to 5',
  7: '1 to 7',
  10: '0 to 10 (NPS)',
}
const scales = ratingScales.map((scale) => ({ value: String(scale), label: scaleWords[scale] }))

function RatingFields({ question }: { question: RatingQuestion }) {
  const put = usePut(question)
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Display" {...useProblem(`${question.id}:display`)}>
          <Select options={displays} value={question.display} onChange={(display) => put({ display })} />
        </Field>
        <Field label="Scale" {...useProblem(`${question.id}:scale`)}>
          <Select
            options={scales}
            value={String(question.scale)}
            onChange={(text) => put({ scale: ratingScales.find((scale) => String(scale) === text) ?? 5 })}
          />
        </Field>
        <Field label="Label of the lowest value" optional>
          <TextInput
            value={question.lowerLabel}
            onChange={({ target }) => put({ lowerLabel: target.value })}
          />
        </Field>
        <Field label="Label of the highest value" optional>
          <TextInput
            value={question.upperLabel}
            onChange={({ target }) => put({ upperLabel: target.value })}
          />
        </Field>
      </div>
      <Checkbox
        label="Submit on click"
        hint="No button is needed."
        checked={question.submitsOnClick}
        onChange={(submitsOnClick) => put({ submitsOnClick })}
      />
    </>
  )
}

function ChoiceFields({ question }: { question: ChoiceQuestion }) {
  const put = usePut(question)
  return (
    <>
      <ChoiceListFields question={question} name="choices" />
      <div className="flex flex-col gap-2.5">
        <Checkbox
          label="Open-ended last choice"
          checked={question.hasOther}
          onChange={(hasOther) => put({ hasOther, ...(hasOther && { submitsOnClick: false }) })}
        />
        <Checkbox
          label="Shuffle the choices"
          hint="The open-ended choice stays last."
          checked={question.shufflesChoices}
          onChange={(shufflesChoices) => put({ shufflesChoices })}
        />
        {question.kind === 'single-choice' && !question.hasOther && (
          <Checkbox
            label="Submit on click"
            hint="No button is needed."
            checked={question.submitsOnClick}
            onChange={(submitsOnClick) => put({ submitsOnClick })}
          />
        )}
      </div>
      {question.kind === 'multiple-choice' && <ChoiceBounds question={question} />}
    </>
  )
}

function ChoiceBounds({ question }: { question: ChoiceQuestion }) {
  const put = usePut(question)
  const most = question.choices.length
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="At least" optional {...useProblem(`${question.id}:minChoices`)}>
        <NumberInput
          value={question.minChoices ?? null}
          min={1}
          max={most}
          unit="choices"
          onChange={(next) => put({ minChoices: next ?? undefined })}
        />
      </Field>
      <Field label="At most" optional {...useProblem(`${question.id}:maxChoices`)}>
        <NumberInput
          value={question.maxChoices ?? null}
          min={1}
          max={most}
          unit="choices"
          onChange={(next) => put({ maxChoices: next ?? undefined })}
        />
      </Field>
    </div>
  )
}

function PictureFields({ question }: { question: Extract<SurveyQuestion, { kind: 'picture' }> }) {
  const put = usePut(question)
  return (
    <>
      <ChoiceListFields question={question} name="choices" />
      <Checkbox
        label="Allow multiple choices"
        checked={question.allowsSeveral}
        onChange={(allowsSeveral) => put({ allowsSeveral })}
      />
    </>
  )
}

function LinkFields({ question }: { question: Extract<SurveyQuestion, { kind: 'link' }> }) {
  const put = usePut(question)
  return (
    <Field label="Link" hint="https or mailto." {...useProblem(`${question.id}:link`)}>
      <TextInput
        inputMode="url"
        value={question.link}
        onChange={({ target }) => put({ link: target.value })}
      />
    </Field>
  )
}

function DateFields({ question }: { question: DateQuestion }) {
  const put = usePut(question)
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Earliest day" optional {...useProblem(`${question.id}:earliest`)}>
        <TextInput
          type="date"
          value={question.earliest ?? ''}
          onChange={({ target }) => put({ earliest: target.value || undefined })}
        />
      </Field>
      <Field label="Latest day" optional {...useProblem(`${question.id}:latest`)}>
        <TextInput
          type="date"
          value={question.latest ?? ''}
          onChange={({ target }) => put({ latest: target.value || undefined })}
        />
      </Field>
    </div>
  )
}

const contactLabels = { name: 'Name', email: 'Email', phone: 'Phone', company: 'Company' }

function ContactFields({ question }: { question: ContactQuestion }) {
  const put = usePut(question)
  const { fields } = question
  return (
    <fieldset className="flex flex-col gap-2.5">
      <legend className="mb-1.5 font-medium">Fields</legend>
      {contactFields.map((field) => {
        const chosen = fields.find((one) => one.field === field)
        const others = fields.filter((one) => one.field !== field)
        return (
          <div key={field} className="flex flex-wrap gap-x-6 gap-y-1">
            <div className="w-28">
              <Checkbox
                label={contactLabels[field]}
                checked={chosen !== undefined}
                disabled={chosen !== undefined && others.length === 0}
                onChange={(isOn) =>
                  put({ fields: isOn ? [...fields, { field, isRequired: false }] : others })
                }
              />
            </div>
            {chosen && (
              <Checkbox
                label={
                  <>
                    Required<span className="sr-only">: {contactLabels[field]}</span>
                  </>
                }
                checked={chosen.isRequired}
                onChange={(isRequired) =>
                  put({ fields: fields.map((one) => (one.field === field ? { field, isRequired } : one)) })
                }
              />
            )}
          </div>
        )
      })}
    </fieldset>
  )
}

function ConsentFields({ question }: { question: Extract<SurveyQuestion, { kind: 'consent' }> }) {
  const put = usePut(question)
  return (
    <Field label="Text beside the box" {...useProblem(`${question.id}:label`)}>
      <TextInput value={question.label} onChange={({ target }) => put({ label: target.value })} />
    </Field>
  )
}
