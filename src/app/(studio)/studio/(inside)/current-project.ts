'use client'

import { createContext, use } from 'react'
import type { ShellProject } from './shell'

export const CurrentProject = createContext<ShellProject | undefined>(undefined)

/** The project this page is in, known before the page itself has arrived. */
export const useCurrentProject = (): ShellProject | undefined => use(CurrentProject)
