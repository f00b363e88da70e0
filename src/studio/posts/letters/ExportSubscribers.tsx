'use client'

import { Download } from 'lucide-react'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { useDirectChange } from '#studio/parts/Change'
import { exportSubscribers } from './actions'

interface ExportSubscribersProps {
  slug: string
  list: string
  whyNot: string | undefined
}

export function ExportSubscribers({ slug, list, whyNot }: ExportSubscribersProps) {
  const { make, question } = useDirectChange()
  return (
    <>
      {question}
      <Button
        icon={<Icon of={Download} />}
        disabledReason={whyNot}
        onClick={() =>
          void make(() => exportSubscribers(slug, list), {
            onDone: ({ csv }) => download(csv, `${list}.csv`),
          })
        }
      >
        Export CSV
      </Button>
    </>
  )
}

function download(text: string, name: string): void {
  const anchor = document.createElement('a')
  anchor.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  anchor.download = name
  anchor.click()
  URL.revokeObjectURL(anchor.href)
}
