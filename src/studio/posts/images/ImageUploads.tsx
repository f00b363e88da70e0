'use client'

import { plural } from '#ui/format'
import { ImagePlus } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { FormError } from '#ui/form/FormError'
import { Icon } from '#ui/Icon'
import { useNavigation } from '#ui/navigation/Navigation'
import { useToast } from '#ui/overlay/Toast'
import { FileButton } from '../editor/FileButton'
import { picturesIn, upload } from '../editor/upload'

interface ImageUploadsProps {
  slug: string
  whyNot: string | undefined
  children: ReactNode
}

/** Uploads pictures by a button, and those that are dropped or pasted anywhere on the page. */
export function ImageUploads({ slug, whyNot, children }: ImageUploadsProps) {
  const { isSending, problems, send } = useImageUploads(slug)
  const isOver = useBroughtPictures(whyNot === undefined ? send : undefined)
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2">
        {children}
        <FileButton
          icon={<Icon of={ImagePlus} />}
          multiple
          busy={isSending}
          disabledReason={whyNot}
          onFiles={(files) => void send(files)}
        >
          Upload images…
        </FileButton>
      </div>
      {problems.map((problem) => (
        <FormError key={problem} title={problem} />
      ))}
      {isOver && (
        <div
          aria-hidden
          className="pointer-events-none fixed inset-2 z-40 grid place-items-center rounded-lg border-2 border-dashed border-focus bg-accent-soft/80"
        >
          <p className="rounded-md bg-surface px-4 py-2 font-medium shadow-sm">Drop images to upload them</p>
        </div>
      )}
    </>
  )
}

function useImageUploads(slug: string) {
  const [sending, setSending] = useState(0)
  const [problems, setProblems] = useState<readonly string[]>([])
  const { refresh } = useNavigation()
  const showToast = useToast()

  async function send(files: readonly File[]) {
    if (files.length === 0) return
    setProblems([])
    setSending((before) => before + files.length)
    const results = await Promise.all(files.map(async (file) => ({ file, ...(await upload(slug, file)) })))
    setSending((before) => before - files.length)
    const stored = results.filter(({ done }) => done).length
    setProblems(results.flatMap((one) => (one.done ? [] : [`${one.file.name}: ${one.message}`])))
    if (stored === 0) return
    showToast({ title: `${plural(stored, 'image')} uploaded`, tone: 'success' })
    refresh()
  }
  return { isSending: sending > 0, problems, send }
}

/** Takes pictures that are dropped or pasted; returns whether some are held over the page. */
function useBroughtPictures(send: ((files: readonly File[]) => Promise<void>) | undefined): boolean {
  const [isOver, setOver] = useState(false)
  const isAllowed = send !== undefined
  const take = useEffectEvent((event: Event, brought: DataTransfer | null) => {
    const pictures = picturesIn(brought)
    if (pictures.length === 0) return
    event.preventDefault()
    void send?.(pictures)
  })

  useEffect(() => {
    if (!isAllowed) return undefined
    const listeners = new AbortController()
    const { signal } = listeners
    const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true
    document.addEventListener('paste', (event) => take(event, event.clipboardData), { signal })
    document.addEventListener(
      'dragover',
      (event) => {
        if (!carriesFiles(event)) return
        event.preventDefault()
        setOver(true)
      },
      { signal },
    )
    document.addEventListener('dragleave', (event) => !event.relatedTarget && setOver(false), { signal })
    document.addEventListener(
      'drop',
      (event) => {
        setOver(false)
        if (!carriesFiles(event)) return
        // the browser would open a file that nothing takes
        event.preventDefault()
        take(event, event.dataTransfer)
      },
      { signal },
    )
    return () => listeners.abort()
  }, [isAllowed])
  return isOver
}
