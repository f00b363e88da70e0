'use client'

import { Plus, X } from 'lucide-react'
import { useState, useTransition } from 'react'
import { Button } from '../../../../../../../ui/Button'
import { Field } from '../../../../../../../ui/Field'
import { FormError } from '../../../../../../../ui/FormError'
import { Icon } from '../../../../../../../ui/Icon'
import { IconButton } from '../../../../../../../ui/IconButton'
import { Panel } from '../../../../../../../ui/Panel'
import { RadioGroup } from '../../../../../../../ui/RadioGroup'
import { Textarea } from '../../../../../../../ui/Textarea'
import { TextInput } from '../../../../../../../ui/TextInput'
import { useToast } from '../../../../../../../ui/Toast'
import { reached } from '../../../../../reached'
import { startTrial } from '../actions'
import { PictureField } from '../editor/PictureField'
import { inputOf, type LookDraft, newLook } from './look-draft'
import type { Look } from './VariantTable'

interface NewTrialProps {
  slug: string
  id: string
  original: Look
  whyNot: string | undefined
}

const mostVariants = 4

const metrics = [
  { value: 'clicks', label: 'Who opens it', hint: 'Known soonest.' },
  { value: 'reads', label: 'Who reads it through', hint: 'Nobody wins by promising too much.' },
] as const

/** What is to be tried beside what the post says itself. */
export function NewTrial({ slug, id, original, whyNot }: NewTrialProps) {
  const [looks, setLooks] = useState<LookDraft[]>(() => [newLook()])
  const [metric, setMetric] = useState<'clicks' | 'reads'>('clicks')
  const { start, problems, isPending } = useStarting(slug, id)
  const isSaid = looks.every(({ title, excerpt, cover }) => title || excerpt || cover)

  return (
    <Panel
      title="Try headlines"
      description="In lists, each is shown to a part of the visitors. The best becomes the post’s own by itself."
    >
      <div className="flex flex-col gap-5">
        {problems.map((problem) => (
          <FormError key={problem} title={problem} />
        ))}
        <p className="rounded-md border border-line bg-sunken px-3 py-2">
          <span className="font-medium">A</span> <span className="text-muted">{original.title}</span>
        </p>
        {looks.map((look, place) => (
          <LookFields
            key={look.id}
            slug={slug}
            name={String.fromCharCode('B'.charCodeAt(0) + place)}
            look={look}
            original={original}
            onChange={(part) => setLooks(looks.with(place, { ...look, ...part }))}
            onRemove={looks.length > 1 ? () => setLooks(looks.toSpliced(place, 1)) : undefined}
          />
        ))}
        <div>
          <Button
            size="sm"
            icon={<Icon of={Plus} />}
            disabledReason={
              looks.length >= mostVariants ? 'There are at most five, the original among them.' : undefined
            }
            onClick={() => setLooks([...looks, newLook()])}
          >
            Add a variant
          </Button>
        </div>
        <RadioGroup
          boxed
          label="The best is found by"
          options={metrics}
          value={metric}
          onChange={setMetric}
        />
        <div>
          <Button
            variant="primary"
            busy={isPending}
            disabledReason={
              whyNot ?? (isSaid ? undefined : 'Give each variant a title, an excerpt or a cover.')
            }
            onClick={() => start({ variants: looks.map(inputOf), metric })}
          >
            Start
          </Button>
        </div>
      </div>
    </Panel>
  )
}

interface LookFieldsProps {
  slug: string
  name: string
  look: LookDraft
  original: Look
  onChange: (part: Partial<LookDraft>) => void
  onRemove: (() => void) | undefined
}

function LookFields({ slug, name, look, original, onChange, onRemove }: LookFieldsProps) {
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
          value={look.title}
          onChange={({ target }) => onChange({ title: target.value })}
        />
      </Field>
      <Field label={`Excerpt of ${name}`} optional>
        <Textarea
          rows={2}
          placeholder={original.excerpt}
          value={look.excerpt}
          onChange={(excerpt) => onChange({ excerpt })}
        />
      </Field>
      <PictureField
        slug={slug}
        noun={`cover for ${name}`}
        picture={look.cover}
        onChange={(cover) => onChange({ cover })}
      />
    </section>
  )
}

function useStarting(slug: string, id: string) {
  const say = useToast()
  const [problems, setProblems] = useState<string[]>([])
  const [isPending, startTransition] = useTransition()
  const start = (input: object) =>
    startTransition(async () => {
      const answer = await reached(() => startTrial(slug, id, input))
      setProblems(answer.done ? [] : answer.problems.map(({ message }) => message))
      if (answer.done) say({ title: 'They are being tried', tone: 'success' })
    })
  return { start, problems, isPending }
}
