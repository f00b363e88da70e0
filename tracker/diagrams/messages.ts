/** The colours and the font of the page around a diagram. */
export interface DiagramLook {
  isDark: boolean
  font: string
  text: string
  background: string
  /** Of boxes. */
  surface: string
  line: string
}

/** Sent to the frame that draws. */
export interface DrawRequest {
  id: number
  source: string
  look: DiagramLook
}

export interface Drawing {
  svg: string
  width: number
  height: number
  /** By its author; '' without one. */
  title: string
}

/** Sent by the frame: a drawing, or what is wrong with the source. */
export interface DrawResponse {
  id: number
  drawing?: Drawing
  problem?: string
}
