'use client'

import { createContext } from 'react'

/** The insights there are, to put onto the dashboard. */
export const SavedInsights = createContext<readonly { id: string; name: string }[]>([])
