'use client'

import type { Picture } from '#posts/post'
import { Dialog } from '#ui/overlay/Dialog'
import { pictureOf } from './image-facts'
import { LibraryPicker } from './LibraryPicker'

interface LibraryDialogProps {
  slug: string
  /** The future use of the picture: "cover", "logo". */
  noun: string
  onChoose: (picture: Picture) => void
  onClose: () => void
}

/** Chooses one picture of the library. */
export const LibraryDialog = ({ slug, noun, onChoose, onClose }: LibraryDialogProps) => (
  <Dialog
    open
    onOpenChange={(open) => !open && onClose()}
    size="lg"
    title={`Choose a ${noun}`}
    description="Images that were uploaded to this project, the latest first."
  >
    <LibraryPicker slug={slug} onChoose={(image) => onChoose(pictureOf(image))} />
  </Dialog>
)
