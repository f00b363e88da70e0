'use client'

import { plural } from '#ui/format'
import { useNavigation } from '#ui/navigation/Navigation'
import { useState } from 'react'
import { targetingOfPage } from '#surveys/page-targeting'
import { Button } from '#ui/Button'
import { FormError } from '#ui/form/FormError'
import { Notice } from '#ui/page/Notice'
import { paths } from '#studio/paths'
import type { ActionResult } from '#studio/parts/action-result'
import { useDirectChange } from '#studio/parts/Change'
import { NumberAudience, numberCohortDraft } from '#studio/numbers/NumberAudience'
import type { NumberPeople } from '#studio/numbers/people-of-number'
import { createFromTemplate, createSurvey, createSurveyForNumber } from '../actions'

interface TemplateChoice {
  id: string
  name: string
  description: string
  questions: number
}

interface NewSurveyProps {
  slug: string
  templates: readonly TemplateChoice[]
  /** The path of the page that it is shown on; any page without one. */
  page: string | undefined
  /** The persons of a number, who are asked. */
  people: NumberPeople | undefined
  whyNot: string | undefined
}

const blank = { name: 'Untitled survey' }

/** Makes a draft, from a template or blank, and opens it. */
export function NewSurvey({ slug, templates, page, people, whyNot }: NewSurveyProps) {
  const [cohort, setCohort] = useState(() => people && numberCohortDraft(people))
  const router = useNavigation()
  const { make, question } = useDirectChange()
  const [problem, setProblem] = useState<string>()

  async function create(change: () => Promise<ActionResult<{ id: string }>>) {
    const failed = await make(change, { onDone: ({ id }) => router.push(paths.survey(slug, id)) })
    setProblem(failed?.error)
  }
  const use = (template?: string) =>
    create(() => {
      if (cohort) return createSurveyForNumber(slug, cohort, template)
      return template === undefined
        ? createSurvey(slug, { ...blank, ...(page !== undefined && { targeting: targetingOfPage(page) }) })
        : createFromTemplate(slug, template, page)
    })
  return (
    <div className="flex flex-col gap-4">
      {people && cohort && <NumberAudience people={people} value={cohort} onChange={setCohort} />}
      {page !== undefined && (
        <Notice tone="info" title={`Shown on ${page}`}>
          Choose other pages under Audience at any time.
        </Notice>
      )}
      {question}
      {problem !== undefined && <FormError title={problem} />}
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        <TemplateCard
          name="Blank survey"
          description="Start from scratch."
          whyNot={whyNot}
          onUse={() => void use()}
        />
        {templates.map(({ id, name, description, questions }) => (
          <TemplateCard
            key={id}
            name={name}
            description={description}
            note={plural(questions, 'question')}
            whyNot={whyNot}
            onUse={() => void use(id)}
          />
        ))}
      </ul>
    </div>
  )
}

function TemplateCard({
  name,
  description,
  note,
  whyNot,
  onUse,
}: {
  name: string
  description: string
  note?: string
  whyNot: string | undefined
  onUse: () => void
}) {
  return (
    <li className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4">
      <div className="grow">
        <h2 className="font-semibold">{name}</h2>
        <p className="mt-0.5 text-pretty text-muted">{description}</p>
        {note && <p className="mt-1 text-xs text-faint">{note}</p>}
      </div>
      <div>
        <Button size="sm" aria-label={`Use ${name}`} onClick={onUse} disabledReason={whyNot}>
          Use
        </Button>
      </div>
    </li>
  )
}
