declare global {
  interface Navigator {
    globalPrivacyControl?: boolean
  }
}

/** Whether a program drives the browser. `played` names a property of the window that says it plays a visitor. */
export const isDriven = (played: string): boolean =>
  (navigator.webdriver || / Headless/.test(navigator.userAgent)) && !(played in window)

/** The tag a script came by: a classic script has one while it runs for the first time. */
export const ownTag = (): HTMLScriptElement => document.currentScript as HTMLScriptElement
