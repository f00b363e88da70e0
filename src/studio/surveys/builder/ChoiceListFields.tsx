'use client'

import { Plus, X } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Reorderable } from '#studio/insights/form/Reorderable'
import type { Choice, QuestionOf, SurveyQuestion } from '#surveys/question'
import { listOf, type ListName } from '#surveys/translate'
import { Button } from '#ui/Button'
import { FormError } from '#ui/form/FormError'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Skeleton } from '#ui/page/Skeleton'
import { TextInput } from '#ui/form/TextInput'
import { useBuilder, useProblem } from './BuilderContext'
import { replaceList } from './content-changes'
import { newId } from './question-kinds'

const PictureField = lazy(async () => ({
  default: (await import('#studio/posts/editor/PictureField')).PictureField,
}))

type PictureChoice = QuestionOf<'picture'>['choices'][number]

const words: Record<ListName, { one: string; title: string }> = {
  choices: { one: 'Choice', title: 'Choices' },
  rows: { one: 'Row', title: 'Rows' },
  columns: { one: 'Column', title: 'Columns' },
}

/** Edits a list of choices, rows or columns, in order. */
export function ChoiceListFields({
  question,
  name,
  hasPictures = false,
}: {
  question: SurveyQuestion
  name: ListName
  hasPictures?: boolean
}) {
  const { changeContent } = useBuilder()
  const { error } = useProblem(`${question.id}:${name}`)
  const list = listOf(question, name)
  const { one, title } = words[name]
  const put = (next: readonly Choice[]) =>
    changeContent((content) => replaceList(content, question, name, next))
  const added = (): Choice | PictureChoice => {
    const choice = { id: newId(), text: `${one === 'Choice' ? 'Option' : one} ${list.length + 1}` }
    return hasPictures ? { ...choice, imageUrl: '' } : choice
  }

  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1.5 font-medium">{title}</legend>
      <Reorderable
        rows={list}
        onChange={put}
        keyOf={({ id }) => id}
        labelOf={(index) => `${one.toLowerCase()} ${index + 1}`}
      >
        {(choice, index) => (
          <ChoiceRow
            choice={choice}
            label={`${one} ${index + 1}`}
            isOther={'hasOther' in question && question.hasOther && index === list.length - 1}
            hasPicture={hasPictures}
            onChange={(next) => put(list.with(index, next))}
            onRemove={list.length > 1 ? () => put(list.toSpliced(index, 1)) : undefined}
          />
        )}
      </Reorderable>
      {error && <FormError title={error} />}
      <div>
        <Button size="sm" variant="quiet" icon={<Icon of={Plus} />} onClick={() => put([...list, added()])}>
          Add a {one.toLowerCase()}
        </Button>
      </div>
    </fieldset>
  )
}

function ChoiceRow({
  choice,
  label,
  isOther,
  hasPicture,
  onChange,
  onRemove,
}: {
  choice: Choice | PictureChoice
  label: string
  isOther: boolean
  hasPicture: boolean
  onChange: (next: Choice | PictureChoice) => void
  onRemove: (() => void) | undefined
}) {
  const lower = label.toLowerCase()
  return (
    <div className="flex items-start gap-1">
      <div className="flex min-w-0 grow flex-col gap-1.5">
        <TextInput
          aria-label={hasPicture ? `${label}: alt text` : label}
          value={choice.text}
          onChange={({ target }) => onChange({ ...choice, text: target.value })}
          {...(isOther && { suffix: 'typed answer' })}
        />
        {'imageUrl' in choice && <ChoicePicture choice={choice} label={label} onChange={onChange} />}
      </div>
      <IconButton
        label={`Remove ${lower}`}
        icon={<Icon of={X} />}
        onClick={onRemove}
        disabledReason={onRemove ? undefined : 'At least one is required.'}
      />
    </div>
  )
}

/** Uploaded, from the library, or at an address elsewhere. */
function ChoicePicture({
  choice,
  label,
  onChange,
}: {
  choice: PictureChoice
  label: string
  onChange: (next: PictureChoice) => void
}) {
  const { choices } = useBuilder()
  const { imageUrl } = choice
  const put = (address: string) => onChange({ ...choice, imageUrl: address })
  return (
    <>
      <Suspense fallback={<Skeleton className="h-9 w-full" />}>
        <PictureField
          slug={choices.slug}
          noun={`picture of ${label.toLowerCase()}`}
          // pages of the studio load no pictures from elsewhere
          picture={imageUrl.startsWith('/') ? { address: imageUrl, alt: '' } : undefined}
          isNamed
          onChange={(picture) => put(picture?.address ?? '')}
        />
      </Suspense>
      <TextInput
        aria-label={`${label}: image URL`}
        placeholder="https://example.com/picture.png"
        inputMode="url"
        value={imageUrl}
        onChange={({ target }) => put(target.value)}
      />
    </>
  )
}
