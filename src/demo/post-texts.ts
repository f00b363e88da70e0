/** The posts of the demo's site. Their addresses are those that the generated visitors open. */
export interface DemoPostText {
  /** The last part of its address. */
  slug: string
  title: string
  excerpt: string
  tags: readonly string[]
  author: string
  series?: string
  isFeatured?: boolean
  body: string
}

/** A page; pictures in its body are named as in `pictures.ts`. */
interface DemoPageText extends Pick<DemoPostText, 'slug' | 'title' | 'excerpt' | 'body'> {
  language?: string
  translationOf?: string
}

const prices = `:::prices{best="Team"}
### Free
**€0**
- Three boards
- Any number of people

[Begin](/signup)
### Team
**€6** a person a month
- Any number of boards
- Automations and guests

[Try it for a month](/signup)
### Company
**€11** a person a month
- Single sign-on and an audit log
- A region of your own

[Write to us](/about)
:::`

export const authors = [
  {
    slug: 'mara',
    name: 'Mara Lindqvist',
    bio: 'Founded Pinewise after planning one move too many in a spreadsheet.',
  },
  { slug: 'tomas', name: 'Tomás Beck', bio: 'Builds boards, and writes about how teams use them.' },
] as const

const survey = `
:::survey{survey="pinewise-post-feedback"}
:::
`

const newsletter = `
:::signup{name="newsletter" button="Tell me about the next one" thanks="Thank you. You will hear from us once a month."}
One letter a month, about planning with few people. No more than that.
:::
`

export const posts: readonly DemoPostText[] = [
  {
    slug: 'why-boards',
    title: 'Why a board beats a list',
    excerpt: 'A list says what there is to do. A board says what is being done, and what is stuck.',
    tags: ['Planning', 'Boards'],
    author: 'mara',
    series: 'Planning with few people',
    body: `
Every team begins with a list. It is quick to write, everybody understands it, and for a week or two it is enough.
Then it grows, and two things happen: nobody reads to its end any more, and nobody can tell which of its lines are
under way.

## What a list hides

A list has one dimension. Whatever is urgent moves to the top, and because everything is urgent, the top is where
nothing is decided. Ask a team of six what each of them is doing today, and watch how many look at the list first.

## What a board shows

A board adds the one column that matters: *now*. Work stands somewhere, and moving it is an act that others see.

| question | list | board |
|---|---|---|
| What is there to do? | yes | yes |
| Who is doing what? | if it was written down | yes |
| What is stuck? | no | whatever has not moved |
| How much can we still take on? | no | the room that is left |

> The day we put a limit of three cards on “In progress” was the day we began to finish things.

:::tip{title="Begin with three columns"}
To do, doing, done. Add a fourth only when its purpose is clear.
:::

The rest follows by itself. In the next part we look at how a team of five plans a quarter with nothing but this.
${survey}`,
  },
  {
    slug: 'standups-without-meetings',
    title: 'Standups without meetings',
    excerpt: 'What a daily meeting is for, and how to get it in writing in four minutes.',
    tags: ['Remote', 'Planning'],
    author: 'tomas',
    body: `
A standup answers three questions in fifteen minutes, for everybody at once. Written down, each of us answers in two
minutes, and reads the others in two more.[^1]

[^1]: We counted for a month, with a team of nine in four time zones.

## The three questions, changed a little

1. What will be done when you stop today?
2. What did you find out that others should know?
3. Who can take something out of your way?

The first is about the end of the day, not the beginning. It is a small promise, and small promises are kept.

## Who reads it

Not everyone has to. Members who are mentioned get a notification. The others read when they come to the board, which
shows the answers beside the cards they are about.

- [x] Answers are due before lunch, in your own time zone
- [x] Blockers name a person
- [ ] Summaries for those who were away

:::note
Keep one meeting a week. People are not only their cards.
:::
${newsletter}`,
  },
  {
    slug: 'import-without-tears',
    title: 'Bring your spreadsheet, without tears',
    excerpt: 'From four thousand rows to a board in one afternoon.',
    tags: ['Guides'],
    author: 'tomas',
    body: `
Most boards begin as a spreadsheet. Bringing one over takes an afternoon, most of which is deciding what to leave
behind.

## Before you begin

Delete what nobody has touched for a year. You keep the file; you do not need it on a board.

## The columns we understand

~~~csv title="tasks.csv" {1}
title,status,owner,due,notes
Order the oak,Doing,ana@pinewise.example,2026-03-12,"Ask for the FSC papers"
Paint the sign,To do,,2026-04-01,
~~~

Whatever stands under \`status\` becomes a column of the board. Dates may be written as people write them; where a day
could be a month, we ask.

:::warning{title="Formulas stay behind"}
A cell that begins with = is taken as text. Work out its value first.
:::

Then open **Boards → Import**, and drop the file there.
${survey}`,
  },
  {
    slug: 'small-teams-plan',
    title: 'How small teams plan a quarter',
    excerpt: 'Five people, twelve weeks, one afternoon: the whole of our planning, with the template.',
    tags: ['Planning'],
    author: 'mara',
    series: 'Planning with few people',
    isFeatured: true,
    body: `
A plan for twelve weeks is a guess. What makes it a good guess is not how long it took, but how soon you notice that it
was wrong.

## One afternoon

We meet for three hours, four times a year, with the board on the wall. The order matters:

1. **What did we learn?** Twenty minutes, numbers first.
2. **What would make the biggest difference?** Everybody writes five, alone.
3. **What will we not do?** The longest part, and the most useful.
4. **What happens in the first two weeks?** Only these become cards.

A wish that is not worth a quarter goes to the list of no. One that is becomes two weeks of cards.

## Every second Monday

The first two weeks were cards; the others are sentences. Every second Monday one sentence becomes cards, and usually
another one is crossed out. Nobody has ever missed it.

> A plan that is never crossed out was never read.

Our template is a board with four columns and eleven cards. Copy it, and delete half of it.
${newsletter}`,
  },
  {
    slug: 'hello-world',
    title: 'Pinewise is open to everybody',
    excerpt: 'After two years with forty teams, anybody can have a board.',
    tags: ['News'],
    author: 'mara',
    body: `
From today, anybody can begin with Pinewise. No list to wait on, no call with us first.

Forty teams have planned with it for two years. They built theatres, apps, a bakery and a satellite, and told us what
was wrong about twice a day. Thank you.

## What it costs

Three boards are free, for as many people as you like. A team that needs more pays by the person, and can see on one
page what that will be.

## What we promise

:::details{title="Your boards are yours"}
Everything can be taken out as files, at any time, also after you have left.
:::

:::details{title="No surprises"}
Prices change with three months' notice, and never for what you have paid for.
:::

Come and [look around](/pricing).
`,
  },
  {
    slug: 'automations-in-ten-minutes',
    title: 'Ten automations in ten minutes',
    excerpt: 'Small rules that take work off a board, from the simplest up.',
    tags: ['Guides', 'Automations'],
    author: 'tomas',
    body: `
A rule is worth having when the same thing is done for the third time. Here are ten that most teams end up with.

## When something moves

- A card in *Done* for two weeks is archived.
- A card that goes back is marked, so that the team asks why.
- A card that moves to *Doing* belongs to the member who moved it.

## When time passes

- A card that has not moved for five days turns yellow.
- On the day before it is due, its owner is told. Nobody else.

## When something happens elsewhere

~~~ts title="rule.ts" {3}
import { when } from '@pinewise/rules'

when('pull-request.merged', ({ card }) => card.moveTo('Done'))
~~~

The other four are in the [recipes](https://docs.pinewise.example/automations/recipes), with a button that adds them.
${survey}`,
  },
  {
    slug: 'remote-retrospectives',
    title: 'Retrospectives that people come to',
    excerpt: 'Forty minutes, one question, and a rule about who may speak of solutions.',
    tags: ['Remote'],
    author: 'mara',
    body: `
The retrospective is the first meeting to be cancelled and the last that should be. These are the three things that
made ours worth coming to.

## One question

Not what went well and what did not. One question, chosen by the host: *what did we wait for?*, *what did we do
twice?*, *which users did we surprise?*

## Silence first

Ten minutes of writing, everybody at once. Those who think while they speak have to wait; those who never speak are
read.

## Every solution has an owner

Every proposed solution gets an owner and a date. It is surprising how few are left.

:::tip
End after forty minutes, also in the middle of a sentence. People come back to meetings that end.
:::
${newsletter}`,
  },
  {
    slug: 'boards-2',
    title: 'Boards 2 is here',
    excerpt: 'Twice as fast, usable by keyboard from end to end, and quieter.',
    tags: ['News', 'Boards'],
    author: 'mara',
    isFeatured: true,
    body: `
The new boards are here, for everybody and on every plan. You need not do anything: yours has changed already.

:::features
### Twice as fast
A board with two thousand cards opens in under a second.
### By keyboard
Move, open, assign and finish without touching the mouse. Press **?** to see how.
### Quieter
Nothing blinks, nothing slides in. What changed is marked until you have seen it.
:::

## What it took

We wrote the part that draws anew, and measured it on the slowest laptop we could find. The old way laid out every
card; the new one lays out what you see.

::embed{address="https://www.youtube.com/watch?v=M7lc1UVf-VE" title="A tour of Boards 2, three minutes"}

## What is next

Boards that span several teams. If that is you, write to us: we are looking for ten teams to try them with.
${survey}`,
  },
  {
    slug: 'calm-notifications',
    title: 'Notifications, but calm',
    excerpt: 'We took out four of five notifications. Nobody complained.',
    tags: ['Boards'],
    author: 'tomas',
    body: `
In March, a person in a team of eight received 61 notifications a day from us. In April it was 11. We waited for the
complaints; there were two, and both were about a bug.

## What was left out

Whatever you see anyway when you come to the board. A notification is for what cannot wait until then.

## How we decided

We asked, of each kind: *what do people do within the hour because of it?* Where the answer was nothing, we removed it.

| kind | before | now |
|---|---:|---:|
| a teammate mentions you | 6 | 6 |
| a card of yours is due | 4 | 4 |
| a card is moved | 38 | 0 |
| a comment is added | 13 | 1 |

The last one goes to the author of a question: the answer to it.
`,
  },
  {
    slug: 'what-we-measure',
    title: 'What we measure, and what we do not',
    excerpt: 'Six numbers, on our own server, and a list of those we decided against.',
    tags: ['News', 'Company'],
    author: 'mara',
    body: `
We measure how Pinewise is used, because we want to know whether what we build helps. We do it on our own server, with
nobody else looking.

## Six numbers

1. How many people move a card in a week
2. How many of those who sign up come back after a month
3. How long a board takes to open
4. How often something fails
5. Which page brought a visitor here
6. What people told us in one sentence, when we asked

## What we do not

- [x] Who you are beyond your account
- [x] What your cards say
- [x] What you do on other pages

:::note{title="You can look"}
Every week's numbers are on a page that anybody can open, with the mistakes left in.
:::
${newsletter}`,
  },
]

export const pages: readonly DemoPageText[] = [
  {
    slug: '',
    title: 'Pinewise',
    excerpt: 'Boards for teams of two to twenty, quick and quiet.',
    body: `
:::hero{align="center"}
# Know what is being done

Boards for teams of two to twenty. See on one page what is under way, what is stuck, and what fits in this week.

[Begin for free](/signup) [See the prices](/pricing)
:::

![](board "A week of a team of five")

## Less to look at, more that moves

Everything that a small team needs to plan, and nothing that only large ones do.

:::features
### One look
What is under way, what is stuck, and how much there is room for.
### No training
Anyone who has used sticky notes can use it.
### Rules for chores
Cards move, remind and archive themselves. Ten rules cover most teams.
### Quiet
One message a day, with what concerns you. The rest waits.
### Brings what you have
A spreadsheet becomes a board in two minutes.
### It leaves with you
Everything can be taken out as files, at any time.
:::

> The day we put a limit of three cards on “In progress” was the day we began to finish things.
>
> *Ines, who runs a theatre with six people*

## Simple prices

${prices}

## Questions

:::questions
### How long does it take to begin?
About ten minutes, your spreadsheet included.
### Who can see our boards?
Only people you invite. Guests see one board each.
### Can we stop at any time?
Yes, at the end of each month, and take everything with you.
:::

## From the blog

::latest{count="3"}

:::signup{name="newsletter" button="Send me the letter" thanks="Thank you. You will hear from us once a month."}
### One letter a month

About planning with few people. No more than that.
:::
`,
  },
  {
    slug: 'signup',
    title: 'Begin for free',
    excerpt: 'Three boards are free, for as many people as you like.',
    body: `
:::hero{align="center"}
# Begin for free

Three boards, any number of people, no card. You can invite your team in a minute.
:::

:::signup{name="trial" button="Make my first board" thanks="Thank you. This is a demo, so no board was made."}
Where shall we send the link?
:::
`,
  },
  {
    slug: 'pricing',
    title: 'Prices',
    excerpt: 'Three boards are free. A team pays by the person.',
    body: `
${prices}

:::questions
### Can we stop at any time?
Yes, at the end of each month, and take everything with you.
### Is there a discount for schools?
Schools and charities pay half.
### What happens when we go back to Free?
Your boards stay; you choose the three that can be changed.
:::
`,
  },
  {
    slug: 'about',
    title: 'About us',
    excerpt: 'Seven people in four countries who like things that stay out of the way.',
    body: `
![](team "Where some of us live")

We are seven people in four countries. We like tools that stay out of the way, and we write down what we learn in
[our blog](/blog).

Pinewise belongs to those who work on it. Nobody else has a share, and nobody else has to be told a story.

## Read most of late

::most-read{days="30" count="3"}
`,
  },
  {
    slug: 'de/about',
    language: 'de',
    translationOf: 'about',
    title: 'Über uns',
    excerpt: 'Sieben Menschen in vier Ländern, die Werkzeuge mögen, die nicht im Weg stehen.',
    body: `
![](team "Hier wohnen einige von uns")

Wir sind sieben Menschen in vier Ländern. Wir mögen Werkzeuge, die nicht im Weg stehen, und schreiben in [unserem
Blog](/blog) auf, was wir lernen.

Pinewise gehört denen, die daran arbeiten. Niemand sonst hat einen Anteil, und niemandem sonst muss eine Geschichte erzählt werden.
`,
  },
]
