// The frame around every page: navigation, language, light and dark, and the person who is signed in.

import { Alert, AppShell, Box, Burger, Group, Menu, NavLink, ScrollArea, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure, useReducedMotion } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, Suspense, useEffect, useRef } from "react";
import { Link, Redirect, Route, Switch, useLocation } from "wouter";
import { roles } from "../../src/nouns/role.ts";
import { signOut } from "../ask/ask.ts";
import { FEW_CODES } from "../ask/few-codes.ts";
import { useSession } from "../ask/session.tsx";
import { AlarmBar } from "../pages/alarms/alarm-bar.tsx";
import { Icon } from "../ui/icon.tsx";
import { Preferences } from "../ui/preferences.tsx";
import { Loading } from "../ui/states.tsx";
import { leaveCall, leavePage } from "../ui/unsaved.ts";
import { useLanguage, useWords } from "../words/language.tsx";
import { Arrival, useArriving } from "./arrival.tsx";
import { Boundary } from "./boundary.tsx";
import { ElsewhereBar } from "./elsewhere-bar.tsx";
import { Forbidden, firstPageFor, isOpenTo } from "./forbidden.tsx";
import { type Page, pageGroups, pages } from "./pages.ts";
import { endCalls, usePhoneCalls, useRinging } from "./phone-calls.ts";
import { forgetPanel } from "./phone-memory.ts";
import { type Panel, PhoneButton, PhoneFrame, usePhonePanel } from "./phone-panel.tsx";
import { ProveAgain } from "./prove-again.tsx";
import { SearchButton } from "./search-button.tsx";
import { phoneTexts, shellTexts } from "./texts.ts";
import { forgetBrowser, useWaking } from "./waking.ts";

const SLIDE_MS = 200;
const nothing = () => undefined;

/** In the middle of a call the session has ended, or wants something first: `outside` is where the page was; the phone stays. */
export function Shell({ outside }: { outside: ReactNode }) {
  const isOut = outside !== undefined;
  const [location] = useLocation();
  const isAtDesk = location.startsWith("/desk");
  const panel = usePhonePanel(isAtDesk);
  const hasCalls = usePhoneCalls().length > 0;
  const here = pages.find(({ path }) => (path === "/" ? location === "/" : location.startsWith(path)));
  useTitle(here);
  useWaking(panel?.open ?? nothing);
  const isWallboard = location.startsWith("/wallboard");
  // The phone stands beside the pages: a call goes on whatever is looked at.
  return (
    <>
      {isOut && <Outside panel={hasCalls ? panel : undefined}>{outside}</Outside>}
      {!isOut && (isWallboard ? <Wallboard /> : <Frame here={here} panel={panel} />)}
      {panel && (hasCalls || !isOut) && (
        <PhoneFrame panel={panel} isDocked={isAtDesk} isShown={panel.isShown && (!isWallboard || hasCalls)} />
      )}
    </>
  );
}

/** A small screen has room for one of the two. */
function Outside({ panel, children }: { panel: Panel | undefined; children: ReactNode }) {
  const words = useWords(phoneTexts);
  return (
    <>
      {panel && (
        <Box component="aside" aria-label={words.phone} pos="fixed" top={12} left={12} style={{ zIndex: 301 }}>
          <PhoneButton panel={panel} />
        </Box>
      )}
      {children}
    </>
  );
}

/** Which page this is; and while somebody rings, who. */
function useTitle(here: Page | undefined): void {
  const { language } = useLanguage();
  const words = useWords(phoneTexts);
  const ringing = useRinging();
  const caller = ringing && (ringing.name || ringing.number || words.withheld);
  useEffect(() => {
    const title = here ? `${here.title[language]} · Santral` : "Santral";
    document.title = caller === undefined ? title : `☎ ${caller} · ${words.incoming}`;
  }, [here, language, caller, words]);
}

function Frame({ here, panel }: { here: Page | undefined; panel: Panel | undefined }) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const words = useWords(shellTexts);
  const { exchange, may } = useSession();
  const wantsStillness = useReducedMotion();
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 248, breakpoint: "md", collapsed: { mobile: !isOpen } }}
      padding={{ base: "md", md: "lg" }}
      transitionDuration={wantsStillness ? 0 : SLIDE_MS}
    >
      <a href="#content" className="skip">
        {words.skip}
      </a>
      <AppShell.Header className="bar">
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="md" size="sm" aria-label={words.menu} />
            <Icon name="brand" size={26} />
            <Text fw={700}>Santral</Text>
            <Text c="dimmed" truncate visibleFrom="xs">
              {exchange.name}
            </Text>
          </Group>
          <Group gap={4} wrap="nowrap">
            <SearchButton />
            {panel && <PhoneButton panel={panel} />}
            <Preferences />
            <Person />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className="bar" p="xs" aria-label={words.navigation}>
        <Navigation here={here?.path} leave={close} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <ElsewhereBar />
        <ProveAgain />
        <FewCodes />
        {may.includes("alarms.now") && <AlarmBar isShown={here?.path !== "/"} />}
        <Content />
      </AppShell.Main>
    </AppShell>
  );
}

/** A page of its own, across a room. */
function Wallboard() {
  const { may } = useSession();
  return (
    <>
      <ElsewhereBar />
      {may.includes("alarms.now") && <AlarmBar isShown={false} />}
      <Content />
    </>
  );
}

/** Who has lost his phone and has no code left would have to ask an administrator. */
function FewCodes() {
  const words = useWords(shellTexts);
  const { hasTotp, codesLeft, acceptsPassword } = useSession();
  if (!hasTotp || !acceptsPassword || codesLeft > FEW_CODES) return null;
  return (
    <Alert color="yellow" mb="md" maw={1440} mx="auto" icon={<Icon name="key" />}>
      {words.fewCodes(codesLeft)} <Link href="/account">{words.account}</Link>
    </Alert>
  );
}

function Content() {
  const words = useWords(shellTexts);
  const [location] = useLocation();
  const { may } = useSession();
  const first = firstPageFor(may);
  useArriving();
  return (
    <Boundary of={location}>
      <Suspense fallback={<Loading />}>
        <Switch>
          {!may.includes("reports.today") && first && (
            <Route path="/">
              <Redirect to={first.path} replace />
            </Route>
          )}
          {pages.map((page) => (
            <Route key={page.path} path={page.path}>
              {isOpenTo(page, may) ? <Shown page={page} /> : <Forbidden page={page} />}
            </Route>
          ))}
          <Route>
            <Text>{words.notFound}</Text>
          </Route>
        </Switch>
      </Suspense>
    </Boundary>
  );
}

function Shown({ page: { path, show: Show } }: { page: Page }) {
  if (path !== "/") return <Show />;
  return (
    <Arrival>
      <Show />
    </Arrival>
  );
}

function Navigation({ here, leave }: { here: string | undefined; leave(): void }) {
  const { language } = useLanguage();
  const { operates, may } = useSession();
  const links = useRef<HTMLDivElement>(null);
  // Whoever comes by an address sees where he is, far down as well.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is looked for when the page changes
  useEffect(() => {
    links.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: "nearest" });
  }, [here]);
  const shown = pageGroups
    .map(({ title, pages }) => ({
      title,
      pages: pages.filter((page) => (page.operator ? operates : isOpenTo(page, may))),
    }))
    .filter(({ pages }) => pages.length > 0);
  return (
    <ScrollArea type="hover" scrollbarSize={6} flex={1} viewportRef={links}>
      {shown.map(({ title, pages }) => (
        <Box key={pages[0]?.path} mb="sm">
          <Text size="xs" fw={600} c="dimmed" px="sm" py={4}>
            {title[language]}
          </Text>
          {pages.map(({ path, title, icon }) => (
            <NavLink
              key={path}
              component={Link}
              href={path}
              label={title[language]}
              leftSection={<Icon name={icon} />}
              active={path === here}
              aria-current={path === here ? "page" : undefined}
              onClick={leave}
              py={6}
              styles={{ root: { borderRadius: 8 } }}
            />
          ))}
        </Box>
      ))}
    </ScrollArea>
  );
}

function Person() {
  const { name, email, role } = useSession();
  const { language } = useLanguage();
  const words = useWords(shellTexts);
  const queries = useQueryClient();
  const hasCalls = usePhoneCalls().length > 0;
  const leave = async () => {
    endCalls();
    const left = await signOut().catch(() => undefined); // the page that follows says whether one is still signed in
    forgetPanel();
    await forgetBrowser().catch(() => undefined); // its session has ended, and with it what it is told
    queries.clear();
    location.assign(left?.url ?? "/console");
  };
  const asked = () => leavePage(() => void leave());
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton px="xs" aria-label={`${words.account}: ${name}`}>
          <Group gap={6} wrap="nowrap">
            <Icon name="person" />
            <Text size="sm" visibleFrom="sm">
              {name}
            </Text>
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {email} · {roles[role].words[language]}
        </Menu.Label>
        <Menu.Item component={Link} href="/account" leftSection={<Icon name="person" />}>
          {words.account}
        </Menu.Item>
        <Menu.Item onClick={hasCalls ? () => leaveCall(asked) : asked} leftSection={<Icon name="leave" />}>
          {words.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
