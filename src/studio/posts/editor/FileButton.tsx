'use client'

import { type ReactNode, useRef } from 'react'
import { Button } from '#ui/Button'
import { pictureTypes } from './upload'

/** A button that opens the browser's file dialog for pictures. */
export function FileButton({
  icon,
  multiple = false,
  busy,
  disabledReason,
  onFiles,
  children,
}: {
  icon?: ReactNode
  multiple?: boolean
  busy?: boolean
  disabledReason?: string | undefined
  onFiles: (files: File[]) => void
  children: string
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button icon={icon} busy={busy} disabledReason={disabledReason} onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={pictureTypes}
        multiple={multiple}
        aria-label={children}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          // the same file may be chosen again
          target.value = ''
        }}
      />
    </>
  )
}
