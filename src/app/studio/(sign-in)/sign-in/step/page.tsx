export { metadata, SecondStepPage as default } from '#studio/sign-in/SecondStepPage'
