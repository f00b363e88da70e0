'use client'

import { useState } from 'react'
import { MultiCombobox } from '#ui/form/Combobox'
import { useToast } from '#ui/overlay/Toast'
import { useDirectChange } from '#studio/parts/Change'
import { tagResponse } from '../actions'

/** The tags of a response; each change is saved at once. */
export function ResponseTags({
  slug,
  survey,
  response,
  tags,
  known,
  whyNot,
}: {
  slug: string
  survey: string
  response: string
  tags: readonly string[]
  /** The tags of other responses. */
  known: readonly string[]
  whyNot: string | undefined
}) {
  const [shown, setShown] = useState([...tags])
  const showToast = useToast()
  const { make, question } = useDirectChange()
  async function save(next: string[]) {
    const before = shown
    setShown(next)
    const failed = await make(() => tagResponse(slug, survey, response, next), { saved: 'Tags saved' })
    if (!failed) return
    setShown(before)
    showToast({ title: failed.error, tone: 'danger' })
  }
  return (
    <>
      <MultiCombobox
        aria-label="Tags"
        placeholder="Type and press Enter"
        options={known.map((value) => ({ value, label: value }))}
        values={shown}
        onChange={(next) => void save(next)}
        disabled={whyNot !== undefined}
        allowOther
      />
      {question}
    </>
  )
}
