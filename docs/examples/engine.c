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

static int has(int some, int card) { return some >> (cards - 1 - card) & 1; } /* the first card is the highest bit */

static int worth(int kept) {
    int points = 0;
    for (int some = kept; some; some = (some - 1) & kept) {
        int sum = 0, size = 0, first = -1, last = -1;
        for (int i = 0; i < cards; i++)
            if (has(some, i)) sum += pips(hand[i]), size++, last = i, first = first < 0 ? i : first;
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
    int best = 0, most = -1, count = 0;
    for (int i = 0; i < piled; i++) count += pips(pile[i]);
    for (int way = 1 << cards; --way;) { /* what leaves the hand */
        int i = 0, size = 0;
        for (int j = 0; j < cards; j++) if (has(way, j)) i = j, size++;
        int after = count + pips(hand[i]), is_pair = piled && rank(pile[piled - 1]) == rank(hand[i]);
        if (size != (is_play ? 1 : cards - 4) || (is_play && after > 31)) continue;
        int points = is_play ? 20 * is_pair + 20 * (after == 15 || after == 31) + pips(hand[i]) : worth((1 << cards) - 1 - way);
        if (points > most) most = points, best = way;
    }
    for (int j = 0, begun = 0; j < cards; j++)
        if (has(best, j)) printf("%s%s", begun++ ? "," : "bestmove ", hand[j]);
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
