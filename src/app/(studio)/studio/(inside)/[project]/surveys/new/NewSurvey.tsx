'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { Button } from '#ui/Button'
import { FormError } from '#ui/form/FormError'
import { paths } from '#app/paths'
import { useDirectChange } from '#app/(studio)/Change'
import { createSurvey } from '../actions'

/** Makes a draft, from a template or blank, and opens it. */
export function NewSurvey({ slug, whyNot }: { slug: string; whyNot: string | undefined }) {
  const router = useRouter()
  const { make, question } = useDirectChange()
  const [problem, setProblem] = useState<string>()

  async function create(input: object) {
    const failed = await make(() => createSurvey(slug, input), {
      onDone: ({ id }) => router.push(paths.survey(slug, id)),
    })
    setProblem(failed?.error)
  }
  return (
    <div className="flex flex-col gap-4">
      {question}
      {problem !== undefined && <FormError title={problem} />}
      <div>
        <Button
          variant="primary"
          disabledReason={whyNot}
          onClick={() => void create({ name: 'Untitled survey' })}
        >
          Blank survey
        </Button>
      </div>
    </div>
  )
}
