'use client'

import { Plus, X } from 'lucide-react'
import { useState, useTransition } from 'react'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { FormError } from '#ui/form/FormError'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Panel } from '#ui/page/Panel'
import { RadioGroup } from '#ui/form/RadioGroup'
import { Textarea } from '#ui/form/Textarea'
import { TextInput } from '#ui/form/TextInput'
import { useToast } from '#ui/overlay/Toast'
import { withNetworkErrors } from '#studio/parts/with-network-errors'
import type { Picture } from '#posts/post'
import { startTrial } from '../actions'
import { PictureField } from '../editor/PictureField'
import type { HeadlineLook } from './VariantTable'

interface NewTrialProps {
  slug: string
  id: string
  original: HeadlineLook
  whyNot: string | undefined
}

const mostVariants = 4

const metrics = [
  { value: 'clicks', label: 'Opens', hint: 'Fastest result.' },
  {
    value: 'reads',
    label: 'Complete reads',
    hint: 'Does not favour clickbait.',
  },
] as const

/** The variants of a new trial, beside the original. */
export function NewTrial({ slug, id, original, whyNot }: NewTrialProps) {
  const [headlines, setHeadlines] = useState<HeadlineDraft[]>(() => [newHeadline()])
  const [metric, setMetric] = useState<'clicks' | 'reads'>('clicks')
  const { start, problems, isPending } = useTrialStart(slug, id)
  const hasContent = headlines.every(({ title, excerpt, cover }) => title || excerpt || cover)

  return (
    <Panel
      title="Headline test"
      description="Lists show each variant to part of the visitors. The best one is applied automatically."
    >
      <div className="flex flex-col gap-5">
        {problems.map((problem) => (
          <FormError key={problem} title={problem} />
        ))}
        <p className="rounded-md border border-line bg-sunken px-3 py-2">
          <span className="font-medium">A</span> <span className="text-muted">{original.title}</span>
        </p>
        {headlines.map((headline, index) => (
          <HeadlineFields
            key={headline.id}
            slug={slug}
            name={String.fromCharCode('B'.charCodeAt(0) + index)}
            headline={headline}
            original={original}
            onChange={(part) => setHeadlines(headlines.with(index, { ...headline, ...part }))}
            onRemove={headlines.length > 1 ? () => setHeadlines(headlines.toSpliced(index, 1)) : undefined}
          />
        ))}
        <div>
          <Button
            size="sm"
            icon={<Icon of={Plus} />}
            disabledReason={
              headlines.length >= mostVariants ? 'At most five, including the original.' : undefined
            }
            onClick={() => setHeadlines([...headlines, newHeadline()])}
          >
            Add variant
          </Button>
        </div>
        <RadioGroup boxed label="Goal" options={metrics} value={metric} onChange={setMetric} />
        <div>
          <Button
            variant="primary"
            busy={isPending}
            disabledReason={
              whyNot ?? (hasContent ? undefined : 'Give each variant a title, an excerpt or a cover.')
            }
            onClick={() => start({ variants: headlines.map(inputOf), metric })}
          >
            Start
          </Button>
        </div>
      </div>
    </Panel>
  )
}

interface HeadlineFieldsProps {
  slug: string
  name: string
  headline: HeadlineDraft
  original: HeadlineLook
  onChange: (part: Partial<HeadlineDraft>) => void
  onRemove: (() => void) | undefined
}

function HeadlineFields({ slug, name, headline, original, onChange, onRemove }: HeadlineFieldsProps) {
  return (
    <section aria-label={`Variant ${name}`} className="flex flex-col gap-3 border-t border-line pt-4">
      <div className="flex items-center justify-between">
        <h3 className="font-semibold">Variant {name}</h3>
        {onRemove && (
          <IconButton label={`Remove variant ${name}`} icon={<Icon of={X} />} onClick={onRemove} />
        )}
      </div>
      <Field label={`Title of ${name}`} optional>
        <TextInput
          placeholder={original.title}
          value={headline.title}
          onChange={({ target }) => onChange({ title: target.value })}
        />
      </Field>
      <Field label={`Excerpt of ${name}`} optional>
        <Textarea
          rows={2}
          placeholder={original.excerpt}
          value={headline.excerpt}
          onChange={(excerpt) => onChange({ excerpt })}
        />
      </Field>
      <PictureField
        slug={slug}
        noun={`cover for ${name}`}
        picture={headline.cover}
        onChange={(cover) => onChange({ cover })}
      />
    </section>
  )
}

function useTrialStart(slug: string, id: string) {
  const showToast = useToast()
  const [problems, setProblems] = useState<string[]>([])
  const [isPending, startTransition] = useTransition()
  const start = (input: object) =>
    startTransition(async () => {
      const answer = await withNetworkErrors(() => startTrial(slug, id, input))
      setProblems(answer.done ? [] : answer.problems.map(({ message }) => message))
      if (answer.done) showToast({ title: 'Headline test started', tone: 'success' })
    })
  return { start, problems, isPending }
}

/** A variant on its way. What is empty stays as the post says it. */
interface HeadlineDraft {
  id: number
  title: string
  excerpt: string
  cover: Picture | undefined
}

let lastId = 0

const newHeadline = (): HeadlineDraft => ({ id: ++lastId, title: '', excerpt: '', cover: undefined })

const inputOf = ({ title, excerpt, cover }: HeadlineDraft) => ({
  ...(title.trim() !== '' && { title: title.trim() }),
  ...(excerpt.trim() !== '' && { excerpt: excerpt.trim() }),
  ...(cover && { cover }),
})
