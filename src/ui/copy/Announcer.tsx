'use client'

import { useSyncExternalStore } from 'react'
import { VisuallyHidden } from '../VisuallyHidden'
import { announcement } from './copy'

/** The one live region of the page that says what was copied. Its `aria-live` keeps it readable beside a dialog. */
export const Announcer = () => (
  <VisuallyHidden>
    <output aria-live="polite">
      {useSyncExternalStore(announcement.subscribe, announcement.read, () => '')}
    </output>
  </VisuallyHidden>
)
