'use client'

import { questionKinds } from '#surveys/kinds/question-kinds'
import type { SurveyQuestion } from '#surveys/question'
import type { FormattedText } from '#surveys/survey'
import { Checkbox } from '#ui/form/Checkbox'
import { Field } from '#ui/form/Field'
import { Select } from '#ui/form/Select'
import { Textarea } from '#ui/form/Textarea'
import { TextInput } from '#ui/form/TextInput'
import { BranchingFields } from './BranchingFields'
import { useBuilder, useProblem } from './BuilderContext'
import { replaceQuestion } from './content-changes'
import { kindEntries, ofKind } from './question-kinds'
import { kindFields } from '../kinds/kind-fields'
import { RecallText } from './RecallText'

const kindOptions = kindEntries.map(({ kind, label }) => ({
  value: kind,
  label,
  ...(!questionKinds[kind].isInPosthog && { hint: 'Not in PostHog’s SDK' }),
}))

/** Edits one question. */
export function QuestionEditor({ question, index }: { question: SurveyQuestion; index: number }) {
  const { content, changeContent } = useBuilder()
  const put = (part: Partial<Pick<SurveyQuestion, 'text' | 'description' | 'buttonText' | 'isRequired'>>) =>
    changeContent((before) => replaceQuestion(before, { ...question, ...part }))
  const hasAnswer = question.kind !== 'statement'
  const Fields = kindFields[question.kind]

  return (
    <div className="flex flex-col gap-4">
      <Field label="Question" {...useProblem(`${question.id}:text`)}>
        <RecallText
          value={question.text}
          onChange={(text) => put({ text })}
          content={content}
          index={index}
        />
      </Field>
      <DescriptionField
        label="Description"
        value={question.description}
        onChange={(description) => put({ description })}
        {...useProblem(`${question.id}:description`)}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Type" {...useProblem(`${question.id}:kind`)}>
          <Select
            options={kindOptions}
            value={question.kind}
            onChange={(kind) =>
              changeContent((before) =>
                replaceQuestion(before, { ...ofKind(question, kind), branching: question.branching }),
              )
            }
          />
        </Field>
        <Field label="Button" optional {...useProblem(`${question.id}:buttonText`)}>
          <TextInput
            placeholder="Next"
            value={question.buttonText}
            onChange={({ target }) => put({ buttonText: target.value })}
          />
        </Field>
      </div>
      {hasAnswer && (
        <Checkbox
          label="Required"
          checked={question.isRequired}
          onChange={(isRequired) => put({ isRequired })}
        />
      )}
      {Fields && <Fields question={question} />}
      <div className="border-t border-line pt-4">
        <BranchingFields question={question} />
      </div>
    </div>
  )
}

/** A text, or HTML of which only harmless elements are kept. */
export function DescriptionField({
  label,
  value,
  onChange,
  error,
}: {
  label: string
  value: FormattedText
  onChange: (next: FormattedText) => void
  error?: string
}) {
  return (
    <div className="flex flex-col gap-2">
      <Field
        label={label}
        optional
        {...(error !== undefined && { error })}
        {...(value.format === 'html' && {
          hint: 'Paragraphs, lists, emphasis and links are allowed.',
        })}
      >
        <Textarea
          rows={2}
          mono={value.format === 'html'}
          value={value.text}
          onChange={(text) => onChange({ ...value, text })}
        />
      </Field>
      {value.text !== '' && (
        <Checkbox
          label={
            <>
              HTML<span className="sr-only"> in {label.toLowerCase()}</span>
            </>
          }
          checked={value.format === 'html'}
          onChange={(isHtml) => onChange({ ...value, format: isHtml ? 'html' : 'text' })}
        />
      )}
    </div>
  )
}
