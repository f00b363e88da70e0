'use client'

import { createContext } from 'react'

/** An experiment whose result can be put onto a dashboard, with the metrics to choose from. */
interface ExperimentChoice {
  id: string
  name: string
  metrics: readonly { id: string; name: string }[]
}

/** The things of the project that can be put onto the dashboard. */
export interface CardChoiceLists {
  insights: readonly { id: string; name: string }[]
  experiments: readonly ExperimentChoice[]
}

export const CardChoices = createContext<CardChoiceLists>({ insights: [], experiments: [] })
