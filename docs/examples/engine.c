/* A complete cribbage engine: it keeps the cards that make most fifteens and pairs, and pegs what it can. */
#include <stdio.h>
#include <string.h>

static char line[200000], hand[6][4], pile[13][4];
static int cards, piled, is_play;

static int rank(const char *card) { return (int)(strchr("A23456789TJQK", *card == '1' ? 'T' : *card) - "A23456789TJQK"); }
static int pips(const char *card) { return rank(card) < 9 ? rank(card) + 1 : 10; }

static int split(char *list, char (*into)[4]) { /* at the commas */
    int many = 0;
    for (char *end; *list; list = end + (*end == ',')) {
        end = list + strcspn(list, ",");
        snprintf(into[many++], 4, "%.*s", (int)(end - list), list);
    }
    return many;
}

static int worth(int kept) { /* a bit for each card of the hand */
    int points = 0;
    for (int some = kept; some; some = (some - 1) & kept) {
        int sum = 0, size = 0, first = -1, last = -1;
        for (int i = 0; i < cards; i++)
            if (some >> i & 1) sum += pips(hand[i]), size++, last = i, first = first < 0 ? i : first;
        points += 2 * (sum == 15) + 2 * (size == 2 && rank(hand[first]) == rank(hand[last]));
    }
    return points;
}

static void position(char *text) {
    cards = piled = is_play = 0;
    for (char *name = strtok(text, " \n"), *value; name && (value = strtok(NULL, " \n")); name = strtok(NULL, " \n")) {
        if (!strcmp(name, "hand")) cards = split(value, hand);
        if (!strcmp(name, "pile")) piled = split(value, pile);
        if (!strcmp(name, "starter")) is_play = 1;
    }
}

static void go(void) {
    int best = -1, most = -1, count = 0;
    for (int i = 0; i < piled; i++) count += pips(pile[i]);
    for (int way = 1; way < 1 << cards; way++) { /* what is played, or kept */
        int i = 0, size = 0, points;
        for (int j = 0; j < cards; j++) if (way >> j & 1) i = j, size++;
        if (size != (is_play ? 1 : 4)) continue;
        int after = count + pips(hand[i]);
        if (is_play && after > 31) continue;
        points = is_play ? 2 * (after == 15) + 2 * (after == 31) + 2 * (piled && rank(pile[piled - 1]) == rank(hand[i])) : worth(way);
        if (points > most) most = points, best = is_play ? way : ~way;
    }
    for (int j = 0, begun = 0; j < cards; j++)
        if (best >> j & 1) printf("%s%s", begun++ ? "," : "bestmove ", hand[j]);
    puts("");
}

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "cei ", 4)) puts("id name C example\nid author cribpi\nceiok");
        if (!strncmp(line, "newgame", 7)) puts("readyok");
        if (!strncmp(line, "position ", 9)) position(line + 9);
        if (!strncmp(line, "go", 2)) go();
        if (!strncmp(line, "quit", 4)) break;
    }
    return 0;
}
